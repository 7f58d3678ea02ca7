BEGIN TRANSACTION;
CREATE TABLE ledger (at TEXT, type TEXT, txn TEXT, account TEXT, product TEXT);
INSERT INTO ledger VALUES('2026-01-02 10:00:02','credit','480000000000001','user1','coins');
INSERT INTO ledger VALUES('2026-01-05 10:00:00','debit','480000000000001','user1','coins');
COMMIT;
