import { type Doorbell, type DoorbellOptions, openDoorbell, type Ring } from '../bell/doorbell.ts';

export interface WatchedDoorbell {
  /** False = there is no doorbell and workers search for steps themselves. */
  isRinging(): boolean;
  isUp(): boolean;
  ring(rings: readonly Ring[]): Promise<void>;
  /**
   * Called at regular intervals. Rings for a canary of this worker's own. A doorbell that had room and yet delivered
   * neither the canary nor anything else since the last call is opened again; one that stays silent each time after that
   * is reported as deaf. Work that waits shows nothing: a healthy worker has any amount of it behind a backlog.
   */
  watch(): Promise<void>;
  pause(): Promise<void>;
  close(): Promise<void>;
}

/** Number of consecutive silent intervals, the doorbell opened again after each, until it is reported as deaf. */
const deafBound = 4;

/** A ring that names no step but the worker that sent it. Its `dispatchNo` counts who had it in hand. */
const canaryPrefix = 'canary-';
/** A canary that reached another worker is passed on this often: its owner, waiting longest, is served next. */
const maxHops = 20;
/** Between two hops; all of them take less time than the shortest interval of checks in use. */
const hopPause = 250;

/** Opens the doorbell and checks regularly that it delivers to this worker. */
export async function openWatchedDoorbell({
  owner,
  onRing,
  onDeaf,
  ...options
}: Omit<DoorbellOptions, 'onRing'> & {
  /** Id of the worker process. */
  owner: string;
  /** Does the work whose turn it is; occupies one of the doorbell's places meanwhile. */
  onRing: (id: string) => Promise<void>;
  onDeaf: () => void;
}): Promise<WatchedDoorbell> {
  let heard = 0;
  let underWay = 0;
  let wasFull = false;
  let silences = 0;
  let canaries = 0;
  let isCanaryOut = false;

  const passOn = ({ id, dispatchNo }: Ring) => {
    if (dispatchNo >= maxHops) return;
    setTimeout(() => void doorbell.ring([{ id, dispatchNo: dispatchNo + 1 }]), hopPause).unref();
  };
  const take = async (ring: Ring) => {
    heard += 1;
    if (!ring.id.startsWith(canaryPrefix)) return onRing(ring.id);
    if (!ring.id.startsWith(canaryPrefix + owner)) passOn(ring);
  };
  const open = () =>
    openDoorbell({
      ...options,
      onRing: async (ring) => {
        underWay += 1;
        // With every place taken no ring can be delivered, however healthy the doorbell is.
        wasFull ||= underWay >= options.slots;
        try {
          await take(ring);
        } finally {
          underWay -= 1;
        }
      },
    });
  let doorbell: Doorbell = await open();

  return {
    isRinging: () => doorbell.isRinging,
    isUp: () => doorbell.isUp(),
    ring: async (rings) => void (await doorbell.ring(rings)),
    watch: async () => {
      const isSilent = isCanaryOut && heard === 0 && !wasFull && doorbell.isUp();
      silences = isSilent ? silences + 1 : 0;
      heard = 0;
      wasFull = underWay >= options.slots;
      if (silences >= deafBound) onDeaf();
      else if (isSilent) {
        options.log?.({
          level: 'warn',
          event: 'doorbell.reopened',
          data: { silences },
        });
        const old = doorbell;
        doorbell = await open();
        await old.close();
      }
      canaries += 1;
      isCanaryOut = await doorbell.ring([{ id: `${canaryPrefix}${owner}-${canaries}`, dispatchNo: 1 }]);
    },
    pause: () => doorbell.pause(),
    close: () => doorbell.close(),
  };
}
