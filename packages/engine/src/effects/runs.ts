import type { EngineDeps } from '../deps.ts';
import type { InstanceKeys } from '../secrets/instance-key.ts';
import { moveToArchive } from './archive/run.ts';
import { removeFromArchive } from './archive-remove/run.ts';
import type { ArchiveOptions } from './archiving.ts';
import { type MakeCertificate, makeCertificates } from './certificate/run.ts';
import { writeToChannels } from './chat/run.ts';
import { composeMessages } from './communication/run.ts';
import { endConsents } from './consent-end/run.ts';
import { deliverFiles, type FileDelivery } from './delivery/run.ts';
import { type FileFetching, fetchFiles } from './fetch/run.ts';
import { deliverMail, type MailDelivery } from './mail/run.ts';
import { type MakePictureCopy, makePictureCopies } from './picture-copy/run.ts';
import { type DrawPictures, sumPictures } from './pictures/run.ts';
import { type MakeNotesCopy, makeNotesCopies } from './proof-notes/run.ts';
import { type MakeReport, makeReports } from './report/run.ts';
import type { EffectRuns } from './run.ts';
import { type DrawTiles, drawPages, type ListPages } from './tiles/run.ts';
import { moveFromArchive } from './unarchive/run.ts';
import { callAddresses, type WebhookDelivery } from './webhook/run.ts';

/** What the runs need in addition to the engine's own dependencies; each takes what it uses. */
export interface EffectEquipment {
  workFolder: string;
  drawTiles: DrawTiles;
  listPages: ListPages;
  drawPictures: DrawPictures;
  makeReport: MakeReport;
  makeNotesCopy: MakeNotesCopy;
  makePictureCopy: MakePictureCopy;
  /** `keys` are those that certificates are signed with. */
  certificate: { makeCertificate: MakeCertificate; keys: InstanceKeys };
  mail: MailDelivery;
  archive: ArchiveOptions;
  webhook: WebhookDelivery;
  delivery: FileDelivery;
  fetching: FileFetching;
}

/** How a worker carries out each kind of effect. */
export const effectRuns = (deps: EngineDeps, equipment: EffectEquipment): EffectRuns => ({
  communication: composeMessages(deps),
  mail: deliverMail(deps, equipment.mail),
  chat: writeToChannels(deps, equipment.webhook),
  tiles: drawPages(deps, equipment),
  pictures: sumPictures(deps, equipment),
  report: makeReports(deps, equipment),
  certificate: makeCertificates(deps, { ...equipment.certificate, workFolder: equipment.workFolder }),
  proofNotes: makeNotesCopies(deps, equipment),
  pictureCopy: makePictureCopies(deps, equipment),
  archive: moveToArchive(deps, equipment.archive),
  unarchive: moveFromArchive(deps, equipment.archive),
  archiveRemove: removeFromArchive(deps, equipment.archive),
  webhook: callAddresses(deps, equipment.webhook),
  delivery: deliverFiles(deps, equipment.delivery),
  consentEnd: endConsents(deps, equipment.delivery),
  fetch: fetchFiles(deps, equipment.fetching),
});
