-- The lists of proofs that wait for customers, and of those past their time.
CREATE INDEX proofs_open ON proofs (subscriber_id, due_at) WHERE state = 'Open';
