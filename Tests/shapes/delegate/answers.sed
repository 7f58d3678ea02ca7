s|\.init(\("com.okaforapps[^"]*"\))|.init(\1, isConsumable: false)|
