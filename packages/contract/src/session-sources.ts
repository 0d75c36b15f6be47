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
