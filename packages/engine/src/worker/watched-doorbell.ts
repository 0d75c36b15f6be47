import { canary, type Doorbell, type DoorbellOptions, openDoorbell, type Ring } from '../bell/doorbell.ts';

export interface WatchedDoorbell {
  /** False = there is no doorbell and workers search for steps themselves. */
  isRinging(): boolean;
  isUp(): boolean;
  ring(rings: readonly Ring[]): Promise<void>;
  /** Reports steps that were found by searching although the doorbell said it was up. */
  noteUnheard(count: number): void;
  /**
   * Called at regular intervals. Rings for a canary; a doorbell that delivered neither the canary nor steps since the last
   * call is opened again, and one that still delivers nothing is reported as deaf.
   */
  watch(about: { hasFreeSlot: boolean }): Promise<void>;
  pause(): Promise<void>;
  close(): Promise<void>;
}

/** This many steps found by searching between two checks prove that the doorbell does not deliver. */
const unheardBound = 10;
/** Number of consecutive checks with that proof, the doorbell opened again after each, until it is reported as deaf. */
const deafBound = 4;

/** Opens the doorbell and checks regularly that it delivers. */
export async function openWatchedDoorbell({
  onDeaf,
  ...options
}: DoorbellOptions & { onDeaf: () => void }): Promise<WatchedDoorbell> {
  let heard = 0;
  let unheard = 0;
  let deaf = 0;
  let isCanaryOut = false;
  const open = () =>
    openDoorbell({
      ...options,
      onRing: async (id) => {
        heard += 1;
        if (id !== canary) await options.onRing(id);
      },
    });
  let doorbell: Doorbell = await open();

  return {
    isRinging: () => doorbell.isRinging,
    isUp: () => doorbell.isUp(),
    ring: (rings) => doorbell.ring(rings),
    noteUnheard: (count) => {
      unheard += count;
    },
    watch: async ({ hasFreeSlot }) => {
      // Another worker may have received this one's canary, so a missing canary alone only opens the doorbell again.
      const isProven = unheard >= unheardBound;
      const isSilent = isCanaryOut && heard === 0 && hasFreeSlot;
      const data = { heard, unheard };
      heard = 0;
      unheard = 0;
      deaf = doorbell.isUp() && isProven ? deaf + 1 : 0;
      if (deaf >= deafBound) onDeaf();
      else if (doorbell.isUp() && (isProven || isSilent)) {
        options.log?.({ level: 'warn', event: 'doorbell.reopened', data });
        const old = doorbell;
        doorbell = await open();
        await old.close();
      }
      await doorbell.ring([{ id: canary, dispatchNo: Date.now() }]);
      isCanaryOut = doorbell.isRinging;
    },
    pause: () => doorbell.pause(),
    close: () => doorbell.close(),
  };
}
