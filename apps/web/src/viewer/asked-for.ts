/** Parts of the viewer that are loaded together when one of them is first asked for: a chunk each would cost every page its name. */
export { CardDialog } from './card-dialog.tsx';
export { Crosshair } from './crosshair.tsx';
export { Densitometer } from './densitometer.tsx';
export { PageJump } from './page-jump.tsx';
