/**
 * Columns that could hold a text and hold nothing of a person who could be looked for, by the reason: `Model.field`, or
 * `Model` for all of a table. Ids, hashes, numbers and times need not be named.
 */
export const nobody: Readonly<Record<string, readonly string[]>> = {
  'counted without a subscriber, and deleted within a day of its use': ['LoginAttempt', 'Lockout', 'RateLimit'],
  'a fact of the installation or of the whole company': [
    'HostFact',
    'Subscriber',
    'Feature',
    'AuditAnchor',
    'Secret',
    'Blob',
  ],
  'a sum or a counter': ['DaySum', 'StorageDay', 'WorkflowCounter'],
  'a name or a choice of the house for a thing': [
    ...['Role', 'Profile', 'Organization.color', 'Organization.uploadSlug', 'Inlet', 'Webhook'],
    ...['SystemSetting.passwordSettings', 'SystemSetting.measurementSettings', 'SystemSetting.roiSettings'],
    ...['SystemSetting.archivingSettings', 'SystemSetting.culture'],
  ],
  'what a font says of itself': ['Font.postScriptName', 'Font.family', 'Font.style', 'Font.facts'],
  'a code, a kind or a key that the program makes': [
    ...[
      'ApiKey.prefix',
      'EmbedToken.prefix',
      'UserSession.revokedReason',
      'Passkey.transports',
      'Notification.severity',
    ],
    ...['IngestItem.sourceKey', 'Proof.policy', 'Proof.level', 'ProofDecision.requestKey', 'ProofNote.mark'],
    ...[
      'ProofNote.requestKey',
      'PrivateNote.requestKey',
      'Session.trace',
      'Session.sourceRef',
      'Session.errorCode',
      'Session.measures',
    ],
    ...['SessionComment.mentions', 'StepRun.outcome', 'StepRun.leaseOwner', 'StepRun.progress', 'StepRun.counters'],
    ...['StepRun.errorCode', 'StepRun.engineVersion', 'Wait.allowed', 'Wait.onDue', 'Wait.escalateTo'],
    ...['SessionEvent.causeKey', 'Effect.lane', 'Effect.trace'],
  ],
};
