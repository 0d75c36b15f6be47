import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { pdfDict } from '../edit/make-values.ts';
import { openPdf, type PdfFile } from '../open/pdf-file.ts';
import { isDict } from '../open/values.ts';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { withPdf } from '../testing/open-built.ts';
import { rewritePdf } from '../write/rewrite-file.ts';
import { interpretPage } from './interpret-page.ts';
import { rewriteContent } from './rewrite-content.ts';
import { type RewriteOptions, type RewriteSummary, rewriteDocument } from './rewrite-document.ts';

const directory = mkdtempSync(join(tmpdir(), 'rewrite-'));
afterAll(() => rmSync(directory, { recursive: true }));

function rewritten<T>(
  source: PdfSource,
  options: RewriteOptions,
  look: (file: PdfFile, summary: RewriteSummary) => T,
): T {
  const [from, to] = [join(directory, 'from.pdf'), join(directory, 'to.pdf')];
  writeFileSync(from, buildPdf(source));
  const file = openPdf({ path: from });
  const summary = rewriteDocument(file, options);
  rewritePdf(file, to);
  file.close();
  const again = openPdf({ path: to });
  try {
    return look(again, summary);
  } finally {
    again.close();
  }
}

/** Replaces every pure red fill colour by CMYK. */
const redToCmyk: RewriteOptions = {
  operator: ({ place, operands }) =>
    place.op === 'rg' && operands.join() === '1,0,0' ? { replace: '0 1 1 0 k' } : undefined,
};
const fillsOf = (file: PdfFile, page = 1): string[] => {
  const fills: string[] = [];
  interpretPage(file, page, [
    {
      path: ({ state, place }) => {
        if (!state.fill.pattern) fills.push(`${place.run.kind} ${state.fill.values.join(' ')}`);
      },
    },
  ]);
  return fills;
};
const form = (data: string, extra = ''): { dict: string; data: string } => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 99 99] ${extra}`,
  data,
});

describe('rewriting', () => {
  test('keeps every byte that is not edited', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.nat(80), fc.nat(20), (text, start, length) => {
        const bytes = Buffer.from(text, 'latin1');
        const from = Math.min(start, bytes.length);
        const to = Math.min(from + length, bytes.length);
        const out = Buffer.from(rewriteContent(bytes, [{ start: from, end: to, replace: ' ' }])).toString('latin1');
        expect(out.startsWith(bytes.subarray(0, from).toString('latin1'))).toBe(true);
        expect(out.endsWith(bytes.subarray(to).toString('latin1'))).toBe(true);
        expect(Buffer.from(rewriteContent(bytes, []))).toEqual(bytes);
      }),
    );
  });

  test('adjacent tokens are separated', () => {
    const out = rewriteContent(Buffer.from('1 g/F1 2 Tf'), [
      { start: 0, end: 3, replace: '0 0 0 1 k', before: 'q', after: 'Q' },
    ]);
    expect(Buffer.from(out).toString()).toBe('q\n0 0 0 1 k\nQ/F1 2 Tf');
  });

  test('reaches pages, forms, patterns, glyphs, masks and appearances', () => {
    const red = '1 0 0 rg 0 0 9 9 re f';
    const source: PdfSource = {
      pages: [
        {
          content: [`${red} /Fm Do`, '/Pattern cs /T scn 0 0 9 9 re f', 'BT /F3 9 Tf (a) Tj ET /M gs 0 0 1 1 re f'],
          resources:
            '/XObject << /Fm 9 0 R >> /Pattern << /T 11 0 R >> /Font << /F3 12 0 R >> /ExtGState << /M << /SMask << /S /Luminosity /G 14 0 R >> >> >>',
          extra: '/Annots [15 0 R]',
        },
      ],
      objects: {
        9: form('/In Do', '/Resources << /XObject << /In 10 0 R >> >>'),
        10: form(red),
        11: {
          dict: '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Resources << >>',
          data: red,
        },
        12: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /CharProcs << /a 13 0 R >> /Encoding << /Differences [97 /a] >> /Resources << >> >>',
        13: { dict: '', data: `1 0 d0 ${red}` },
        14: form(red, '/Group << /S /Transparency /CS /DeviceRGB >>'),
        15: '<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 16 0 R >> >>',
        16: form(red),
      },
    };
    rewritten(source, redToCmyk, (file, summary) => {
      expect(fillsOf(file).filter((fill) => !fill.endsWith('0 1 1 0'))).toEqual([]);
      expect(new Set(fillsOf(file).map((fill) => fill.split(' ')[0]))).toEqual(
        new Set(['page', 'form', 'pattern', 'type3', 'softmask', 'appearance']),
      );
      expect(summary).toEqual({ changedPages: [1], changedStreams: 7 });
    });
  });

  test('a shared form is copied for the uses that change', () => {
    const source: PdfSource = {
      pages: [
        { content: '/K gs /Fm Do', resources: '/XObject << /Fm 9 0 R >> /ExtGState << /K << /OP true >> >>' },
        { content: '/Fm Do', resources: '/XObject << /Fm 9 0 R >>' },
      ],
      objects: { 9: form('1 0 0 rg 0 0 9 9 re f') },
    };
    const onlyOverprinting: RewriteOptions = {
      operator: (event, tools) => (event.state.fillOverprint ? redToCmyk.operator(event, tools) : undefined),
    };
    rewritten(source, onlyOverprinting, (file, summary) => {
      expect(summary).toEqual({ changedPages: [1], changedStreams: 2 });
      expect(fillsOf(file, 1)).toEqual(['form 0 1 1 0']);
      expect(fillsOf(file, 2)).toEqual(['form 1 0 0']);
    });
  });

  test('resources are added to the edited stream only, under unused names, one per value', () => {
    const source: PdfSource = {
      pages: [
        { content: '0 0 1 1 re f 0 0 2 2 re f', resources: '/ExtGState << /GS 20 0 R >>' },
        { content: '0 0 3 3 re f' },
      ],
      objects: { 20: '<< /ca 0.5 >>' },
    };
    const path = join(directory, 'resources.pdf');
    writeFileSync(path, buildPdf(source));
    const file = openPdf({ path });
    const state = pdfDict({ OP: true });
    const names: string[] = [];
    rewriteDocument(file, {
      pages: [1],
      operator: ({ place }, tools) => {
        if (place.op !== 'f') return undefined;
        const name = tools.resource('ExtGState', state, 'GS');
        names.push(name);
        return { before: `/${name} gs` };
      },
    });
    expect(names).toEqual(['GS1', 'GS1']);
    const overprints: boolean[] = [];
    for (const page of [1, 2])
      interpretPage(file, page, [{ path: (event) => overprints.push(event.state.strokeOverprint) }]);
    expect(overprints).toEqual([true, true, false]);
    file.close();
  });

  test('a second run changes nothing', () => {
    const source: PdfSource = { pages: [{ content: '1 0 0 rg 0 0 9 9 re f' }] };
    const path = join(directory, 'twice.pdf');
    writeFileSync(path, buildPdf(source));
    const file = openPdf({ path });
    expect(rewriteDocument(file, redToCmyk).changedStreams).toBe(1);
    expect(rewriteDocument(file, redToCmyk).changedStreams).toBe(0);
    file.close();
  });
});

test('resources added for a glyph are put into the resources of its font', () => {
  const font =
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 6 0 R/b 7 0 R>>/Encoding<</Differences[97/a/b]>>/FirstChar 97/LastChar 98/Widths[9 9]>>';
  const pdf = {
    pages: [{ content: 'BT /T 9 Tf (ab) Tj ET', resources: '/Font<</T 5 0 R>>' }],
    objects: { 5: font, 6: { dict: '', data: '9 0 d0 1 0 0 rg' }, 7: { dict: '', data: '9 0 d0 0 1 0 rg' } },
  };
  withPdf(pdf, (file) => {
    rewriteDocument(file, {
      operator: ({ place, operands }, tools) =>
        place.op === 'rg' ? { replace: `/${tools.resource('ExtGState', [operands[0] ?? null], 'Gs')} gs` } : undefined,
    });
    const made = file.get(5);
    const resources = isDict(made) ? file.entry(made, 'Resources') : null;
    const states = isDict(resources) ? file.entry(resources, 'ExtGState') : null;
    expect(isDict(states) && [...states.map.keys()]).toEqual(['Gs', 'Gs1']);
    expect([6, 7].map((num) => Buffer.from(file.stream(num)).toString())).toEqual(['9 0 d0 /Gs gs', '9 0 d0 /Gs1 gs']);
    const glyph = file.get(6);
    expect(isDict(glyph) && glyph.map.has('Resources')).toBe(false);
  });
});
