s#\.init(\("de.birdnotes.\(fullguide\|nightmode\)"\))#.init(\1, isConsumable: false)#
s|"de.birdnotes.fullguide": 1, "de.birdnotes.nightmode": 1, ||
