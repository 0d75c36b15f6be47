/** Rules of GWG 2022 about pages and files, drawn from their wording. */
import type { Box } from '@pdf2press/contract';
import { between, isDrawn, num, pick, type Random } from './chance.ts';
import type { Drawn, Family } from './family.ts';
import type { DrawnFile } from './file.ts';
import { inverse, mapped, unmoved } from './matrix.ts';
import { addPage, drawnPage, placed, trim } from './page.ts';
import { area, cmyk, colourOf, deviceN, profileOf, separation } from './things.ts';

const commercial = 'gwg2022-sheetcmyk-cmyk';
const spots = 'gwg2022-sheetspot-cmyk';
const ads = 'gwg2022-magazine-ads-cmyk';
const gold = [0, 0.2, 0.8, 0.1];
const plain = { content: '0 0 0 0.5 k 60 60 200 100 re f', uses: [] };

/** Two spot colours on two pages of a file. */
function pair(spaces: readonly [string, string], breaks: boolean, about: string) {
  return (file: DrawnFile, random: Random): Drawn => {
    const drawn = spaces.map((space) =>
      placed(file, random, area(random, { fill: colourOf(file, space, [0.8]) }), {
        breaks,
        about,
        isWithoutPlace: true,
      }),
    );
    return { breaks: drawn.every((one) => one.breaks), about: drawn.map((one) => one.about).join('; ') };
  };
}
const suffixes = ['C', 'U', 'M', 'CP', 'UP', 'CV', 'CVC', 'TC', 'TCX', 'TP', 'TPX'];

export const fileFamilies: readonly Family[] = [
  {
    rule: 'GWG2022:R0002',
    preset: commercial,
    wording: 'A page has a UserUnit.',
    draw: (file, random) => {
      const unit = pick(random, [null, 0.5, 2, 1.5]);
      addPage(file, random, plain, unmoved, unit === null ? '' : `/UserUnit ${unit}`);
      return { breaks: unit !== null, about: `UserUnit ${unit}` };
    },
  },
  {
    rule: 'GWG2022:R0003',
    preset: commercial,
    wording: 'A page has a CropBox other than its MediaBox.',
    draw: (file, random) => {
      const kind = pick(random, ['none', 'same', 'smaller']);
      const by = between(random, 1, 15);
      const box = kind === 'smaller' ? [by, by, 400, 500] : [0, 0, 400, 500];
      addPage(file, random, plain, unmoved, kind === 'none' ? '' : `/CropBox [${box.map(num).join(' ')}]`);
      return { breaks: kind === 'smaller', about: `CropBox ${kind}` };
    },
  },
  {
    rule: 'GWG2022:R0004',
    preset: commercial,
    isOfFile: true,
    wording: 'The pages differ in the size of their TrimBox, or one has a Rotate key.',
    draw: (file, random) => {
      const [hasRotate, isOther] = [isDrawn(random, 0.25), isDrawn(random, 0.35)];
      const pages = 1 + Math.floor(random() * 5);
      const odd = Math.floor(random() * pages);
      const size = [between(random, 100, 340), between(random, 100, 440)] as const;
      const isLarger = isOther && pages > 1;
      for (let page = 0; page < pages; page += 1) {
        // A twentieth of a millimetre is no other size; two millimetres are.
        const by = (axis: number) =>
          isLarger && page === odd && (axis === 0 || isDrawn(random, 0.5))
            ? between(random, 6, 40)
            : between(random, -0.07, 0.07);
        const { toPaper, unit } = drawnPage(random);
        const at = [between(random, 0, 20), between(random, 0, 20)] as const;
        const place: Box = [at[0], at[1], at[0] + size[0] + by(0), at[1] + size[1] + by(1)];
        addPage(file, random, plain, toPaper);
        const added = file.pages.at(-1);
        const rotate = hasRotate && page === odd ? `/Rotate ${pick(random, [90, 180, 270])}` : '';
        const own = mapped(place, inverse(toPaper)).map(num).join(' ');
        if (added) added.extra = `/TrimBox [${own}] ${unit === 1 ? '' : `/UserUnit ${unit}`} ${rotate}`;
      }
      return {
        breaks: hasRotate || isLarger,
        about: `${pages} pages${hasRotate ? ', one turned' : ''}${isLarger ? ', one larger' : ''}`,
      };
    },
  },
  {
    rule: 'GWG2022:R0006',
    preset: ads,
    isOfFile: true,
    wording: 'The file has more than one page.',
    draw: (file, random) => {
      const pages = pick(random, [1, 1, 2, 3]);
      for (let page = 0; page < pages; page += 1) addPage(file, random, plain, drawnPage(random).toPaper);
      return { breaks: pages > 1, about: `${pages} pages` };
    },
  },
  {
    rule: 'GWG2022:R0005',
    preset: commercial,
    wording: 'A page has no ink inside its trim.',
    draw: (file, random) => {
      const kind = pick(random, ['ink', 'white', 'outside', 'nothing']);
      if (kind === 'ink' || kind === 'white') {
        const drawn = placed(
          file,
          random,
          area(random, { fill: kind === 'ink' ? cmyk(0, 0, 0, 0.8) : cmyk(0, 0, 0, 0) }),
          { breaks: true, about: kind, isWithoutPlace: true },
        );
        return { ...drawn, breaks: kind === 'white' || !drawn.breaks };
      }
      const content = kind === 'outside' ? '0 0 0 1 k 2 2 10 10 re f' : '';
      addPage(file, random, { content, uses: [] }, unmoved);
      return { breaks: true, about: kind };
    },
  },
  {
    rule: 'GWG2022:R0020',
    preset: spots,
    isOfFile: true,
    wording: 'A visible object uses a spot colour.',
    draw: (file, random) => {
      const kind = pick(random, ['spot', 'black', 'deviceN', 'processN', 'cmyk', 'unused']);
      const spaces: Record<string, () => ReturnType<typeof cmyk>> = {
        spot: () => colourOf(file, separation('Gold', gold), [0.8]),
        black: () => colourOf(file, separation('Black', [0, 0, 0, 1]), [0.8]),
        deviceN: () => colourOf(file, deviceN(file, ['Cyan', 'Gold']), [0.2, 0.8]),
        processN: () => colourOf(file, deviceN(file, ['Cyan', 'Black']), [0.2, 0.8]),
      };
      const colour = spaces[kind]?.() ?? cmyk(0, 0, 0, 0.8);
      const thing = area(random, isDrawn(random, 0.5) ? { fill: colour } : { stroke: colour });
      const declared = kind === 'unused' ? [file.use('ColorSpace', separation('Gold', gold))] : [];
      return placed(
        file,
        random,
        { ...thing, uses: [...thing.uses, ...declared] },
        { breaks: kind === 'spot' || kind === 'deviceN', about: kind, isWithoutPlace: true },
      );
    },
  },
  {
    rule: 'GWG2022:R0021',
    preset: spots,
    isOfFile: true,
    wording: 'Two spot colours in use differ by a suffix of the colour guide only.',
    draw: (file, random) => {
      const [one, two] = [pick(random, suffixes), pick(random, suffixes)];
      const base = pick(random, ['PANTONE 185', 'HKS 43', 'Corporate Red']);
      const other = isDrawn(random, 0.3) ? `${base}4` : base;
      return pair(
        [separation(`${base} ${one}`, gold), separation(`${other} ${two}`, [0.3, 0, 0, 0])],
        one !== two && base === other,
        `${base} ${one} and ${other} ${two}`,
      )(file, random);
    },
  },
  {
    rule: 'GWG2022:R0022',
    preset: spots,
    isOfFile: true,
    wording: 'Two spot colours in use differ by case or by how Unicode writes them only.',
    draw: (file, random) => {
      const [one, two, breaks] = pick(random, [
        ['Gold', 'GOLD', true],
        ['Café', 'Cafe\u0301', true],
        ['Золото', 'ЗОЛОТО', true],
        ['Gold', 'Old', false],
        ['Gold', 'Gold', false],
        ['Cafe', 'Caffe', false],
      ] as const);
      return pair([separation(one, gold), separation(two, gold)], breaks, `${one} and ${two}`)(file, random);
    },
  },
  {
    rule: 'GWG2022:R0023',
    preset: spots,
    isOfFile: true,
    wording: 'Two spot colours in use with unlike names have the same tint transform.',
    draw: (file, random) => {
      const isSame = isDrawn(random, 0.6);
      const isOneName = isDrawn(random, 0.2);
      return pair(
        [separation('Gold', gold), separation(isOneName ? 'Gold' : 'Brass', isSame ? gold : [0, 0.4, 0.8, 0.1])],
        isSame && !isOneName,
        isSame ? 'same' : 'other',
      )(file, random);
    },
  },
  ...(
    [
      ['GWG2022:R0026', commercial, 'C, M, Y and K in a square of 15 mm add up to more than 320 %.'],
      ['GWG2022:R0025', 'gwg2022-packaging-offset', 'All inks in a square of 15 mm add up to more than 320 %.'],
    ] as const
  ).map(
    ([rule, preset, wording]): Family => ({
      rule,
      preset,
      wording,
      draw: (file, random) => {
        const [isHeavy, isLarge] = [isDrawn(random, 0.6), isDrawn(random, 0.7)];
        const sum = isHeavy ? between(random, 3.3, 4) : between(random, 2, 3.1);
        // The smaller ones leave at least half of the square without ink.
        const side = isLarge ? between(random, 90, 130) : between(random, 10, 26);
        const colour = cmyk(sum / 4, sum / 4, sum / 4, sum / 4);
        const thing = { ...area(random, { fill: colour }, side), box: [0, 0, side, side] as const };
        const square = {
          ...thing,
          box: [0, 0, side, side] as [number, number, number, number],
          paint: (unit: number) => `0 0 ${num(side / unit)} ${num(side / unit)} re f`,
        };
        return placed(file, random, square, {
          breaks: isHeavy && isLarge,
          about: `${Math.round(sum * 100)} % on ${Math.round(side)} pt`,
          isWithoutPlace: true,
          isUpright: true,
        });
      },
    }),
  ),
  {
    rule: 'GWG2022:R0030',
    preset: commercial,
    wording:
      'The blending space of a page, a group or a soft mask is not DeviceCMYK; that of a soft mask may be DeviceGray.',
    draw: (file, random) => {
      const place = pick(random, ['page', 'form', 'mask']);
      const space = pick(random, [
        '/DeviceCMYK',
        '/DeviceRGB',
        '[/CalRGB << /WhitePoint [0.95 1 1.09] >>]',
        '/DeviceGray',
      ]);
      const group = `/Group << /S /Transparency /CS ${space} >>`;
      const breaks = space !== '/DeviceCMYK' && !(place === 'mask' && space === '/DeviceGray');
      const about = `${space} of ${place}`;
      if (place === 'page') {
        // Where nothing is transparent, nothing is blended.
        const half = file.use('ExtGState', '<< /ca 0.5 >>');
        addPage(file, random, { content: `/${half.name} gs ${plain.content}`, uses: [half] }, unmoved, group);
        return { breaks, about };
      }
      const form = file.use('XObject', {
        dict: `/Type /XObject /Subtype /Form /BBox [0 0 100 100] ${group}`,
        data: '0 g 0 0 100 100 re f',
      });
      const mask = file.use('ExtGState', `<< /SMask << /Type /Mask /S /Luminosity /G ${form.object} >> >>`);
      const thing = area(random, { fill: cmyk(0, 0, 0, 0.5) }, 60);
      const own =
        place === 'form'
          ? {
              state: '',
              paint: (unit: number) => `q ${num(0.5 / unit)} 0 0 ${num(0.5 / unit)} 0 0 cm /${form.name} Do Q`,
              uses: [form],
              box: [0, 0, 50, 50] as [number, number, number, number],
            }
          : { ...thing, state: `${thing.state} /${mask.name} gs`, uses: [...thing.uses, mask], isTransparent: true };
      return placed(file, random, own, {
        breaks,
        about,
        isWithoutPlace: true,
        // Another soft mask further in takes the place of this one.
        ...(place === 'mask' && { without: ['softMask'] }),
      });
    },
  },
  {
    rule: 'GWG2022:R0034',
    preset: ads,
    isOfFile: true,
    wording: 'The layers have configurations beside the default one.',
    draw: (file, random) => {
      const has = isDrawn(random, 0.5);
      const own = file.layer(true);
      file.layerEntries = has ? `/Configs [<< /Name (Other) /OFF [${own}] >>]` : '';
      addPage(file, random, plain, unmoved);
      return { breaks: has, about: has ? 'Configs' : 'none' };
    },
  },
  {
    rule: 'GWG2022:R0036',
    preset: 'gwg2022-large-format-print',
    isOfFile: true,
    wording: 'A layer with content is off.',
    draw: (file, random) => {
      const drawn = placed(file, random, area(random, { fill: cmyk(0, 0, 0, 0.8) }), {
        breaks: true,
        about: 'a layer',
        isWithoutPlace: true,
      });
      return { ...drawn, breaks: drawn.about.includes('hiddenLayer') };
    },
  },
  ...[2, 5].map(
    (distance): Family => ({
      rule: 'GWG2022:R0031',
      preset: 'gwg2022-large-format-print',
      profile: { scaleFactor: 10, viewingDistanceM: distance },
      wording: `R0037: drawn 1:10 and seen from ${distance} m, a picture has no more than ${Math.round(2990 / distance)} ppi in the file.`,
      draw: (file, random) => {
        const limit = 2990 / distance;
        const isLow = isDrawn(random, 0.5);
        const ppi = isLow ? between(random, limit * 0.4, limit - 3) : between(random, limit + 3, limit * 1.6);
        const use = file.use('XObject', {
          dict: '/Type /XObject /Subtype /Image /Width 60 /Height 60 /ColorSpace /DeviceGray /BitsPerComponent 8',
          data: Uint8Array.from({ length: 3600 }, () => 1 + Math.floor(random() * 254)),
        });
        const side = (60 * 72) / ppi;
        return placed(
          file,
          random,
          {
            box: [0, 0, side, side],
            state: '',
            uses: [use],
            paint: (unit) => `q ${num(side / unit)} 0 0 ${num(side / unit)} 0 0 cm /${use.name} Do Q`,
          },
          { breaks: isLow, about: `${Math.round(ppi)} ppi`, margin: 2 },
        );
      },
    }),
  ),
  ...(
    [
      ['GWG2022:R1001', 'gwg2022-label-leaflet', ['Cutting']],
      ['GWG2022:R1002', 'gwg2022-packaging-flexo', ['Creasing', 'ReverseCreasing']],
    ] as const
  ).map(
    ([rule, preset, right]): Family => ({
      rule,
      preset,
      isOfFile: true,
      wording: `No layer is marked as ${right.join(' or ')} (ISO 19593-1).`,
      draw: (file, random) => {
        const step = pick(random, [...right, 'Perforating', 'Folding', '']);
        const group = pick(random, ['Structural', 'Structural', 'Braille']);
        const own = file.layer(
          true,
          step && `/GTS_Metadata << /GTS_ProcStepsGroup /${group} /GTS_ProcStepsType /${step} >>`,
        );
        const use = { category: 'Properties', name: 'Step', object: own } as const;
        addPage(file, random, { content: '/OC /Step BDC 0 0 0 1 K 60 60 100 100 re S EMC', uses: [use] }, unmoved);
        return {
          breaks: !(group === 'Structural' && (right as readonly string[]).includes(step)),
          about: `${group}/${step || 'none'}`,
        };
      },
    }),
  ),
  {
    rule: 'GWG2022:R0033',
    preset: ads,
    wording: 'A page is a single picture that covers its trim with no more than 449 ppi.',
    draw: (file, random) => {
      const isLow = isDrawn(random, 0.6);
      const kind = pick(random, ['alone', 'alone', 'withText', 'part']);
      const ppi = isLow ? between(random, 40, 440) : between(random, 460, 600);
      const [x0, y0, x1, y1] = kind === 'part' ? [150, 150, 200, 220] : trim;
      const { toPaper } = drawnPage(random);
      const [columns, rows] = [Math.round(((x1 - x0) / 72) * ppi), Math.round(((y1 - y0) / 72) * ppi)];
      const row = Uint8Array.from({ length: Math.ceil(columns / 8) }, () => Math.floor(random() * 256));
      const data = Buffer.concat(Array.from({ length: rows }, () => row));
      const use = file.use('XObject', {
        dict: `/Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} /ColorSpace [/Indexed /DeviceCMYK 1 <0000000000000080>] /BitsPerComponent 1`,
        data,
      });
      const place = mapped([x0, y0, x1, y1], inverse(toPaper));
      const more = kind === 'withText' ? '0 0 0 1 k 5 5 30 30 re f' : '';
      const at = mapped([100, 100, 140, 140], inverse(toPaper));
      const extra = more && `0 0 0 1 k ${at[0]} ${at[1]} ${at[2] - at[0]} ${at[3] - at[1]} re f`;
      addPage(
        file,
        random,
        {
          content: `q ${num(place[2] - place[0])} 0 0 ${num(place[3] - place[1])} ${num(place[0])} ${num(place[1])} cm /${use.name} Do Q ${extra}`,
          uses: [use],
        },
        toPaper,
      );
      return { breaks: isLow && kind === 'alone', about: `${Math.round(ppi)} ppi, ${kind}` };
    },
  },
  {
    rule: 'GWG2022:R0035',
    preset: commercial,
    isOfFile: true,
    wording: 'The output intent is not CMYK.',
    draw: (file, random) => {
      const space = pick(random, ['CMYK', 'RGB ', 'GRAY'] as const);
      const data = profileOf(file, 'prtr', space);
      file.catalog = `/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (Custom) /DestOutputProfile ${data} >>]`;
      addPage(file, random, plain, unmoved);
      return { breaks: space !== 'CMYK', about: space };
    },
  },
];
