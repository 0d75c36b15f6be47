-- Of some kinds of effect only so many are tried at a time, for one subscriber and one lane: a host that is called, for example.
ALTER TABLE "effects" ADD COLUMN     "lane" TEXT;
