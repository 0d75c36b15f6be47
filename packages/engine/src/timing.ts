/** The intervals of the engine, in milliseconds. All due times are computed from these by Postgres's clock. */
export interface Timing {
  /** How long a claimed step stays claimed without a heartbeat. */
  lease: number;
  /** A third of a lease or less, so that one failed heartbeat loses nothing. */
  heartbeat: number;
  /** The pump's period; NOTIFY wakes it earlier. */
  pump: number;
  /** A ring that no worker answered for this long is repeated. */
  rering: number;
  /** A step that has been ready for this long is claimed without a ring, whatever state the doorbell reports. */
  unheard: number;
  /**
   * A pause of the pump of this length means that Postgres or the machine stood still: leases are renewed instead of taken
   * away.
   */
  gap: number;
  /** First pause before a step whose worker was lost runs again; doubles with each loss. */
  lostBackoff: number;
  /** First pause after a failure of another system; doubles up to `remoteBackoffMax`. */
  remoteBackoff: number;
  remoteBackoffMax: number;
  /** Failures of another system are retried for this long. */
  remotePatience: number;
  /** How often a worker checks itself. */
  watch: number;
  /** A worker whose search for steps has not ended for this long is stuck. */
  stuck: number;
  /** How long running steps may take to finish when the process is told to stop. */
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
