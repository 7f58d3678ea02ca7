s|\.init("com.matosgames.pixelpasture.goldenbarn")|.init("com.matosgames.pixelpasture.goldenbarn", isConsumable: false)|
s|, "com.matosgames.pixelpasture.goldenbarn": 1\]|]|
