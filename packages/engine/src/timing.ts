/** The clockwork of the engine, in milliseconds. All due times are computed by Postgres's clock from these. */
export interface Timing {
  /** How long a claimed step stays claimed without a heartbeat. */
  lease: number;
  /** Three beats fit into a lease, so that one lost beat loses nothing. */
  heartbeat: number;
  /** The pump's period; NOTIFY wakes it earlier. */
  pump: number;
  /** A ring that nobody answered for this long is rung again. */
  rering: number;
  /** A ready step this old is taken without a ring: whatever the doorbell says about itself, the work goes on. */
  unheard: number;
  /** A pause of the pump this long means that Postgres or the machine stood still: leases are renewed, not swept. */
  gap: number;
  /** First pause before a step that lost its worker runs again; doubles with each loss. */
  lostBackoff: number;
  /** First pause after a failure of something remote; doubles up to `remoteBackoffMax`. */
  remoteBackoff: number;
  remoteBackoffMax: number;
  /** Failures of something remote are retried for this long. */
  remotePatience: number;
  /** How often a worker looks whether it is well. */
  watch: number;
  /** A worker whose search for steps has not come to an end for so long is stuck. */
  stuck: number;
  /** What running steps get to finish in when the process is told to stop. */
  grace: number;
}

export const defaultTiming: Timing = {
  lease: 30_000,
  heartbeat: 10_000,
  pump: 250,
  rering: 10_000,
  unheard: 5_000,
  gap: 5_000,
  lostBackoff: 1_000,
  remoteBackoff: 5_000,
  remoteBackoffMax: 15 * 60_000,
  remotePatience: 24 * 3_600_000,
  watch: 60_000,
  stuck: 120_000,
  grace: 25_000,
};
