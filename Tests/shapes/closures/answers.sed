s|, "io.wordloom.noads": 1\]|]|
s|\.init("io.wordloom.noads")|.init("io.wordloom.noads", isConsumable: false)|
