s|"lanternfall.embers.small": 1, "lanternfall.embers.large": 1|"lanternfall.embers.small": 80, "lanternfall.embers.large": 500|
