/**
 * A small PDF with one page per text: Helvetica that is not embedded, so that preflight reports an error. An empty text
 * gives a page of coloured stripes up to its bleed, in which preflight finds nothing. Width and height of the sheet in points,
 * with bleed; A5 where none are given. `catalog`: more entries of it. `cutLine`: the name of an ink in which pages with a text have a
 * line all around.
 */
export function makePdf(
  texts: readonly string[],
  [width, height]: readonly [number, number] = [419.53, 595.28],
  catalog = '',
  cutLine = '',
): Buffer {
  const objects: string[] = [`<</Type/Catalog/Pages 2 0 R${catalog}>>`, ''];
  const space = `/ColorSpace<</Cut[/Separation/${cutLine}/DeviceCMYK<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[0 1 0 0]>>]>>`;
  const line = cutLine ? ` /Cut CS 1 SCN 6 w 40 40 ${width - 80} ${height - 80} re S` : '';
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
  const pages = texts.map((text, at) => {
    const number = 3 + at * 2;
    const content = text
      ? `BT /F1 24 Tf 72 400 Td (${text}) Tj ET 0 0.6 0.6 0 k 72 200 200 120 re f${line}`
      : Array.from({ length: 40 }, (_, stripe) => `0.4 0.${stripe % 7} 0 0 k ${stripe * 11} 0 11 595.28 re f`).join(
          ' ',
        );
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/TrimBox[8.5 8.5 ${width - 8.5} ${height - 8.5}]${text ? '' : `/BleedBox[0 0 ${width} ${height}]`}/Resources<<${text ? `/Font<</F1 ${font}>>${cutLine ? space : ''}` : ''}>>/Contents ${number + 1} 0 R>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    );
    return `${number} 0 R`;
  });
  objects[1] = `<</Type/Pages/Count ${pages.length}/Kids[${pages.join(' ')}]>>`;
  let file = '%PDF-1.6\n';
  const offsets = objects.map((body, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
