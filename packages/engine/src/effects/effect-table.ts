/* Every kind of effect by its name, a line each. */

export { archiveEffect as archive } from './archive/contract.ts';
export { archiveRemoveEffect as archiveRemove } from './archive-remove/contract.ts';
export { certificateEffect as certificate } from './certificate/contract.ts';
export { chatEffect as chat } from './chat/contract.ts';
export { communicationEffect as communication } from './communication/contract.ts';
export { consentEndEffect as consentEnd } from './consent-end/contract.ts';
export { deliveryEffect as delivery } from './delivery/contract.ts';
export { fetchEffect as fetch } from './fetch/contract.ts';
export { mailEffect as mail } from './mail/contract.ts';
export { pictureCopyEffect as pictureCopy } from './picture-copy/contract.ts';
export { picturesEffect as pictures } from './pictures/contract.ts';
export { proofNotesEffect as proofNotes } from './proof-notes/contract.ts';
export { reportEffect as report } from './report/contract.ts';
export { tilesEffect as tiles } from './tiles/contract.ts';
export { unarchiveEffect as unarchive } from './unarchive/contract.ts';
export { webhookEffect as webhook } from './webhook/contract.ts';
