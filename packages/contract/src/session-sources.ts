/** Where a session's file came from. */
export const sessionSources = {
  CloudFolder: 2,
  ExternalApi: 3,
  Email: 4,
  ReplacedFileAndRestartedWorkflow: 5,
  InjectedFromPreviousWorkflow: 6,
  ManualInjected: 7,
  PublicFileUpload: 8,
} as const;
export type SessionSource = keyof typeof sessionSources;

/** The ways in which a file can reach a workflow; each can be switched off in its injection step. */
export const waysIn = [
  'manual',
  'uploadPage',
  'api',
  'pressero',
  'email',
  'cloudFolder',
  'hotFolder',
  'sftpFolder',
  'previousWorkflow',
] as const;
export type WayIn = (typeof waysIn)[number];

/** The way that a source belongs to; of folders and shops, only their kind of source tells whether they are of this machine or of a server. */
export const wayOfSource: Readonly<Record<SessionSource, WayIn>> = {
  ManualInjected: 'manual',
  ReplacedFileAndRestartedWorkflow: 'manual',
  PublicFileUpload: 'uploadPage',
  ExternalApi: 'api',
  Email: 'email',
  CloudFolder: 'cloudFolder',
  InjectedFromPreviousWorkflow: 'previousWorkflow',
};
