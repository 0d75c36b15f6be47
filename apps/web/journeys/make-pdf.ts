/**
 * A small PDF with one page per text: Helvetica that is not embedded, so that preflight reports an error. An empty text
 * gives a page of coloured stripes up to its bleed, in which preflight finds nothing. Width and height of the sheet in points,
 * with bleed; A5 where none are given. `catalog`: more entries of it. `cutLine`: the name of an ink in which pages with a text have a
 * line all around, or the layers on which they have it in process colours, one for each page: by its name, or as a processing step
 * that cuts (ISO 19593-1).
 */
export function makePdf(
  texts: readonly string[],
  [width, height]: readonly [number, number] = [419.53, 595.28],
  catalog = '',
  cutLine: string | readonly { name: string; isStep: boolean }[] = '',
): Buffer {
  const objects: string[] = ['', ''];
  const layers = typeof cutLine === 'string' ? [] : cutLine;
  const layerOf = (at: number) => 3 + texts.length * 2 + at;
  const groups = layers.map((_, at) => `${layerOf(at)} 0 R`).join(' ');
  const optional = layers.length > 0 ? `/OCProperties<</OCGs[${groups}]/D<</ON[${groups}]/Order[${groups}]>>>>` : '';
  const space = `/ColorSpace<</Cut[/Separation/${cutLine}/DeviceCMYK<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[0 1 0 0]>>]>>`;
  const around = `6 w 40 40 ${width - 80} ${height - 80} re S`;
  const lineOf = (at: number) => {
    if (layers[at]) return ` /OC /Die BDC 0 1 0 0 K ${around} EMC`;
    return typeof cutLine === 'string' && cutLine ? ` /Cut CS 1 SCN ${around}` : '';
  };
  const resourcesOf = (at: number) => {
    const line = layers[at]
      ? `/Properties<</Die ${layerOf(at)} 0 R>>`
      : typeof cutLine === 'string' && cutLine
        ? space
        : '';
    return `/Font<</F1 ${font}>>${line}`;
  };
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
  const pages = texts.map((text, at) => {
    const number = 3 + at * 2;
    const content = text
      ? `BT /F1 24 Tf 72 400 Td (${text}) Tj ET 0 0.6 0.6 0 k 72 200 200 120 re f${lineOf(at)}`
      : Array.from({ length: 40 }, (_, stripe) => `0.4 0.${stripe % 7} 0 0 k ${stripe * 11} 0 11 595.28 re f`).join(
          ' ',
        );
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/TrimBox[8.5 8.5 ${width - 8.5} ${height - 8.5}]${text ? '' : `/BleedBox[0 0 ${width} ${height}]`}/Resources<<${text ? resourcesOf(at) : ''}>>/Contents ${number + 1} 0 R>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    );
    return `${number} 0 R`;
  });
  for (const { name, isStep } of layers)
    objects.push(
      `<</Type/OCG/Name(${name})${isStep ? '/GTS_Metadata<</GTS_ProcStepsGroup/Structural/GTS_ProcStepsType/Cutting>>' : ''}>>`,
    );
  objects[0] = `<</Type/Catalog/Pages 2 0 R${optional}${catalog}>>`;
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
