/** Names that stand for a processing step, not for an ink. */
export const technicalNames = [
  'CutContour',
  'Cut',
  'Thru-cut',
  'Kiss-cut',
  'Dieline',
  'Die*line',
  'Crease',
  'Creasing',
  'Fold*',
  'Perf*',
  'Braille',
  'White',
  'Varnish',
  'Spot Varnish',
  'Lack',
];
