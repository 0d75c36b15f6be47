import { randomUUID } from 'node:crypto';
import type { Present } from '@pdf2press/contract';
import { z } from 'zod';

/*
 * Who has which draft open. Nothing is stored: each open live stream tells all processes of itself when it begins, every
 * few seconds, and when it ends. Whoever is not heard of any more is gone.
 */

/** A stream that is not heard of for so long has ended without a word: its process was killed. */
const forgetMs = 45_000;

const noticeSchema = z.object({
  streamId: z.string(),
  subscriberId: z.string(),
  workflowId: z.string(),
  id: z.string(),
  name: z.string(),
  isHere: z.boolean(),
});
type Notice = z.infer<typeof noticeSchema>;

export interface Seat {
  /** The others who have the draft open, each once, by name. */
  others(): Present[];
  /** Tells that the stream is still open. */
  beat(): void;
  leave(): void;
}

export interface Presence {
  /** A notice of any process, this one too. */
  hear(text: string): void;
  join(who: Omit<Notice, 'streamId' | 'isHere'>): Seat;
}

/**
 * @param announce sends a notice to every process
 * @param onChange called when somebody of a subscriber came or went
 */
export function createPresence(announce: (text: string) => void, onChange: (subscriberId: string) => void): Presence {
  const heard = new Map<string, Notice & { at: number }>();
  const own = new Map<string, Notice>();
  const say = (notice: Notice) => announce(JSON.stringify(notice));
  const isSameDraft = (a: Notice, b: Notice) => a.subscriberId === b.subscriberId && a.workflowId === b.workflowId;

  return {
    hear(text) {
      const notice = noticeSchema.parse(JSON.parse(text));
      const { streamId, subscriberId, isHere } = notice;
      const isKnown = heard.has(streamId);
      if (isHere) heard.set(streamId, { ...notice, at: Date.now() });
      else heard.delete(streamId);
      if (isKnown === isHere) return;
      // Whoever came last, perhaps in a process that has just begun, does not know yet who was here.
      if (isHere)
        for (const other of own.values()) if (other.streamId !== streamId && isSameDraft(other, notice)) say(other);
      onChange(subscriberId);
    },
    join(who) {
      const notice: Notice = { ...who, streamId: randomUUID(), isHere: true };
      own.set(notice.streamId, notice);
      say(notice);
      return {
        others() {
          const old = Date.now() - forgetMs;
          for (const [streamId, { at }] of heard) if (at < old) heard.delete(streamId);
          const people = new Map<string, Present>();
          for (const other of heard.values())
            if (other.id !== who.id && isSameDraft(other, notice))
              people.set(other.id, { id: other.id, name: other.name });
          return [...people.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
        },
        beat: () => say(notice),
        leave() {
          own.delete(notice.streamId);
          say({ ...notice, isHere: false });
        },
      };
    },
  };
}
