s|\.init("com.lindqvist.tidepool.pro")|.init("com.lindqvist.tidepool.pro", isConsumable: false)|
