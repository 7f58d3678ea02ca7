s|\.init("app.fernweh.offlinemaps")|.init("app.fernweh.offlinemaps", isConsumable: false)|
s|manager = PurchaseService()|manager = PurchaseService(validator: LinkedValidator(device: device))|
