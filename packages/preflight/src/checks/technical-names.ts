/** Names of spot colours that mark processing steps (cutting, creasing, varnish), with `*` for any characters. */
export const technicalNames = [
  'CutContour',
  'Cut',
  'Thru-cut',
  'Kiss-cut',
  'Dieline',
  'Die*line',
  'Crease',
  'Creasing',
  'Reverse*creas*',
  'Fold*',
  'Perf*',
  'Braille',
  'White',
  'Varnish',
  'Spot Varnish',
  'Lack',
];

/** Those of lines at which paper is cut or folded, and not of inks that cover areas. */
export const lineNames = technicalNames.filter(
  (name) => !['Braille', 'White', 'Varnish', 'Spot Varnish', 'Lack'].includes(name),
);
