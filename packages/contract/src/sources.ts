import type { ErrorParams } from './faults.ts';

/** Why a source cannot be polled: stored with the inlet until a poll succeeds, with a sentence in the message files. */
export const sourceFaults = [
  'source.timedOut',
  'source.unreachable',
  'source.hostUnknown',
  'source.hostBlocked',
  'source.hostKeyChanged',
  'source.tlsFailed',
  'source.folderMissing',
  'source.denied',
  'source.outside',
  'source.settingsInvalid',
  'source.connectionMissing',
  'source.secretUnreadable',
  'source.signInNeeded',
  'source.busy',
  'source.notSetUp',
  'source.changed',
  'source.tooManyFolders',
  'source.failed',
] as const;
export type SourceFault = (typeof sourceFaults)[number];

/** A poll that failed for a known reason. The parameters are shown to people and never hold a secret. */
export class SourceFaultError extends Error {
  readonly code: SourceFault;
  readonly params: ErrorParams;
  constructor(code: SourceFault, params: ErrorParams = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = 'SourceFaultError';
    this.code = code;
    this.params = params;
  }
}
