import { drawPdf } from './draw-pdf.ts';
import { letter } from './lettering.ts';

const mm = (value: number) => (value * 72) / 25.4;

/** A business card as a printer likes it: 85 × 55 mm, 3 mm bleed, CMYK and one spot colour, no live text. */
function businessCard(): Buffer {
  const [bleed, width, height] = [mm(3), mm(85), mm(55)];
  const trim = [bleed, bleed, bleed + width, bleed + height];
  const media = [0, 0, width + 2 * bleed, height + 2 * bleed];
  const [, , right = 0, top = 0] = media;
  const front = [
    `0.85 0.25 0.45 0.1 k 0 0 ${right} ${top} re f`,
    `0.9 0.35 0.5 0.35 k 0 0 m ${right} 0 l ${right} ${mm(24)} l 0 ${mm(12)} l f`,
    `/Gold cs 1 scn ${mm(12)} ${mm(41)} ${mm(8)} ${mm(8)} re f`,
    `0 0 0 0 K ${letter('Paper + Ink', mm(25), mm(42), mm(5))}`,
    `0 0 0 0 K ${letter('Ana Bellini', mm(12), mm(19), mm(3.2))}`,
    `0 0 0 0 K ${letter('Prepress', mm(12), mm(13), mm(2.4))}`,
  ].join('\n');
  const back = [
    `0 0 0 0 k 0 0 ${right} ${top} re f`,
    `0.85 0.25 0.45 0.1 k 0 0 ${right} ${mm(14)} re f`,
    `/Gold CS 1 SCN ${letter('Paper + Ink', mm(20), mm(32), mm(6))}`,
    `0 0 0 0.9 K ${letter('+39 02 555 0134', mm(20), mm(23), mm(2.6))}`,
  ].join('\n');
  return drawPdf({
    title: 'Business card',
    pages: [front, back].map((content) => ({ content, mediaBox: media, bleedBox: media, trimBox: trim })),
    spots: { Gold: { ink: 'PANTONE 871 C', cmyk: [0.2, 0.3, 0.7, 0.2] } },
  });
}

/** A colour gradient as an RGB picture with too few pixels for its size on the page. */
function smallPicture() {
  const [width, height] = [176, 114];
  const samples = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      samples.set([40 + (x * 215) / width, 90 + (y * 120) / height, 200 - (x * 120) / width], (y * width + x) * 3);
  return { width, height, colourSpace: 'DeviceRGB' as const, samples };
}

/** An A5 flyer as customers send it: no bleed, an RGB picture of 30 ppi, a font that is not embedded, hairlines. */
function faultyFlyer(): Buffer {
  const [width, height] = [mm(148), mm(210)];
  const content = [
    `0.02 0.06 0.2 0 k 0 0 ${width} ${height} re f`,
    `q ${width} 0 0 ${mm(95)} 0 ${mm(115)} cm /Photo Do Q`,
    `BT /F1 30 Tf 0.1 0.2 0.45 rg ${mm(12)} ${mm(95)} Td (Summer sale) Tj ET`,
    `BT /F1 11 Tf 0 0 0 rg ${mm(12)} ${mm(84)} Td (Everything must go, 20 to 30 June) Tj ET`,
    `BT /F1 5 Tf 0 0 0 rg ${mm(2)} ${mm(2)} Td (Small print much too near to the edge) Tj ET`,
    `0.05 w 0 0 0 1 K ${mm(12)} ${mm(78)} m ${mm(136)} ${mm(78)} l S`,
  ].join('\n');
  return drawPdf({
    title: 'Flyer',
    pages: [{ content, mediaBox: [0, 0, width, height] }],
    images: { Photo: smallPicture() },
    fonts: { F1: 'Helvetica' },
  });
}

/** The files of a new installation: one without faults and one with common faults. */
export const samplePdfs: readonly { fileName: string; draw: () => Buffer }[] = [
  { fileName: 'business-card.pdf', draw: businessCard },
  { fileName: 'flyer-with-faults.pdf', draw: faultyFlyer },
];
