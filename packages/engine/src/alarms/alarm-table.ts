/* The kinds of alarms, a line each: what can be wrong with the installation or with something that a subscriber set up. */

import { certificateEnding, houseCertificateEnding } from './certificates.ts';
import { noticeHookFailing } from './notice-hook.ts';
import { backupFailed, backupLate, intakeGone, roomLow, workerGone, workLate } from './of-house.ts';
import {
  cloudFolderFailing,
  hotFolderFailing,
  mailboxFailing,
  mailboxSignInMissing,
  sftpServerFailing,
  signInMissing,
} from './of-sources.ts';
import { webhookDisabled } from './of-webhooks.ts';
import { mailRefused, quotaReached, workflowFailing } from './of-work.ts';
import { releaseNewer } from './releases.ts';

export const alarmTable = {
  'mailbox.failing': mailboxFailing,
  'mailbox.signInMissing': mailboxSignInMissing,
  'cloud.signInMissing': signInMissing,
  'cloud.failing': cloudFolderFailing,
  'hotFolder.failing': hotFolderFailing,
  'sftp.failing': sftpServerFailing,
  'files.failing': workflowFailing,
  'mail.refused': mailRefused,
  'mail.certificateEnding': certificateEnding,
  'mail.houseCertificateEnding': houseCertificateEnding,
  'noticeHook.failing': noticeHookFailing,
  'webhook.disabled': webhookDisabled,
  'worker.gone': workerGone,
  'work.late': workLate,
  'intake.gone': intakeGone,
  'room.low': roomLow,
  quota: quotaReached,
  'backup.failed': backupFailed,
  'backup.late': backupLate,
  'release.newer': releaseNewer,
};
