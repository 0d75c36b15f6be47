/* Screens of links that do not lead to the pages, loaded when one of them is come to. */
export { GuardedProof } from './guarded-proof.tsx';
export { Unavailable } from './unavailable-proof.tsx';
export { UsedProof } from './used-proof.tsx';
