/** Parts of the viewer for files of several pages, loaded after the page. */
export { Thumbnails } from './thumbnails.tsx';
export { TurningLeaf } from './turning-leaf.tsx';
