import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LayoutPage, Plan, PlanProblem, Side } from '@pdf2press/contract';
import { imposePdf, layoutPage, openPdf, type PdfFile } from '@pdf2press/pdf/place';
import { type ImposeProfile, planOf, readImposeProfile } from '../layouts/layouts.ts';
import { LayoutFault } from '../layouts/problems.ts';
import { type Attachments, readingAttachment, unpackAttachments } from './attachments.ts';
import { drawBarcodes } from './barcodes.ts';
import { findDies } from './dies.ts';
import { dummyPlan } from './dummy.ts';
import { planToJdf } from './jdf.ts';
import type { FoundDies } from './lay-dies.ts';
import { registerPlan } from './register.ts';
import { planToXjdf } from './xjdf.ts';

/** What can be made of a plan. */
export const imposeOutputs = ['output', 'plan', 'jdf', 'xjdf', 'dummy', 'register', 'dies'] as const;
export type ImposeOutput = (typeof imposeOutputs)[number];

export interface ImposeRequest {
  /** PDFs on disk; their pages are numbered on through all of them. */
  inputs: readonly { path: string; password?: string }[];
  /** A die instead of the one that the profile carries. */
  dieFile?: string;
  /** As stored: read and checked here. */
  profile: unknown;
  outputs: readonly ImposeOutput[];
  /** Directory for the files; the caller owns it. */
  workDir: string;
  /** What the slug may say: `file.name`, `session.id`, `date`. */
  variables?: Readonly<Record<string, string>>;
  onSheet?: (done: number, total: number) => void;
}

/** Either what was made, or what stands in the way; settings and pages are never half followed. */
export type ImposeResult =
  | {
      ok: true;
      warnings: PlanProblem[];
      sheets: number;
      layout: Plan['layout'];
      files: { output: ImposeOutput; name: string }[];
    }
  | { ok: false; problems: PlanProblem[] };

/** Makes an imposition. @throws FileFaultError as `openPdf` and `imposePdf` do. */
export async function impose(request: ImposeRequest): Promise<ImposeResult> {
  const read = readImposeProfile(request.profile);
  if (!read.ok) return read;
  const { profile } = read;
  const files: PdfFile[] = [];
  const attached = unpackAttachments(profile, request.workDir);
  try {
    for (const input of request.inputs) files.push(openPdf(input));
    const pages = files.flatMap((file) => file.pages.map(layoutPage));
    const dies = diesOf(files, profile, { ...request, attached });
    const strip = attached.strip();
    const [bar] = strip?.pages ?? [];
    const planned = planOf(
      {
        pages,
        ...(request.variables ? { variables: request.variables } : {}),
        ...dies,
        ...(bar ? { strip: layoutPage(bar).trim } : {}),
      },
      profile,
    );
    if (!planned.ok) return planned;
    const made: { output: ImposeOutput; name: string }[] = [];
    for (const output of wantedOutputs(request.outputs, profile)) {
      for (const name of await makers[output]({ ...request, files, pages, profile, strip, plan: planned.plan }))
        made.push({ output, name });
    }
    return {
      ok: true,
      warnings: planned.plan.warnings,
      sheets: planned.plan.sheets.length,
      layout: planned.plan.layout,
      files: made,
    };
  } catch (error) {
    if (error instanceof LayoutFault) return { ok: false, problems: [error.problem] };
    throw error;
  } finally {
    attached.close();
    for (const file of files) file.close();
  }
}

/** The dies of a job: of the file that came with the order, else of the profile's own. */
function diesOf(
  files: readonly PdfFile[],
  profile: ImposeProfile,
  { dieFile, attached }: { dieFile?: string; attached: Attachments },
): FoundDies {
  const own = profile.type === 'DieCut' ? profile.die.file : null;
  return dieFile !== undefined || own === null
    ? findDies(files, profile, dieFile)
    : readingAttachment(own, 'die.file', () => findDies(files, profile, attached.die));
}

/** A die that is to be a file of its own comes with the sheets, asked for or not: without it nothing can be cut. */
const wantedOutputs = (outputs: readonly ImposeOutput[], profile: ImposeProfile): readonly ImposeOutput[] =>
  outputs.includes('output') && !outputs.includes('dies') && isDieApart(profile) ? [...outputs, 'dies'] : outputs;

const isDieApart = (profile: ImposeProfile): boolean =>
  profile.type === 'DieCut' && (profile.die.onOutput === 'SeparateFile' || profile.die.onOutput === 'Both');

interface Making extends Omit<ImposeRequest, 'profile'> {
  files: readonly PdfFile[];
  /** All pages, numbered on through the files. */
  pages: readonly LayoutPage[];
  profile: ImposeProfile;
  /** The colour bar that the profile brings along. */
  strip: PdfFile | null;
  plan: Plan;
}

const producer = 'pdf2press';

const jobOf = ({ variables, inputs }: Making) => ({
  id: variables?.['session.id'] || 'job',
  fileName: variables?.['file.name'] ?? path.basename(inputs[0]?.path ?? ''),
});

/** What writes each output into the work directory; gives the names of the files. */
const makers: { readonly [K in ImposeOutput]: (making: Making) => Promise<string[]> } = {
  async output(making) {
    const { plan, profile } = making;
    const isWithoutDie = profile.type === 'DieCut' && profile.die.onOutput === 'SeparateFile';
    await writePdf(making, 'imposed.pdf', isWithoutDie ? withoutDies(plan) : plan, making.files);
    return making.profile.output.kind === 'Image' ? pictures(making) : ['imposed.pdf'];
  },
  plan: (making) => writeText(making, 'plan.json', `${JSON.stringify(making.plan)}\n`),
  jdf: (making) => writeText(making, 'plan.jdf', planToJdf(making.plan, making.pages, jobOf(making))),
  xjdf: (making) => writeText(making, 'plan.xjdf', planToXjdf(making.plan, making.pages, jobOf(making))),
  async dummy(making) {
    await writePdf(making, 'dummy.pdf', dummyPlan(making.plan), []);
    return ['dummy.pdf'];
  },
  async register(making) {
    await writePdf(making, 'register.pdf', registerPlan(making.plan, making.profile.backOffset), []);
    return ['register.pdf'];
  },
  async dies(making) {
    await writePdf(making, 'dies.pdf', diesOnly(making.plan), []);
    return ['dies.pdf'];
  },
};

async function writePdf(
  { workDir, onSheet, strip }: Making,
  name: string,
  plan: Plan,
  files: readonly PdfFile[],
): Promise<void> {
  imposePdf({
    files,
    plan: await drawBarcodes(plan),
    path: path.join(workDir, name),
    producer,
    ...(strip ? { strip } : {}),
    ...(onSheet ? { onSheet } : {}),
  });
}

async function writeText({ workDir }: Making, name: string, text: string): Promise<string[]> {
  await writeFile(path.join(workDir, name), text);
  return [name];
}

/** How the files of pictures end; sharp's names are the small ones. */
const endings = { PNG: 'png', JPEG: 'jpg', TIFF: 'tif' } as const;
const encodings = { PNG: 'png', JPEG: 'jpeg', TIFF: 'tiff' } as const;

/** The imposed sheets as pictures, drawn from the PDF that was just written: as a screen or as a press shows them. */
async function pictures({ workDir, profile }: Making): Promise<string[]> {
  const { dpi, format, jpegQuality, colorSpace } = profile.output;
  // Rendering is loaded for jobs that ask for pictures only.
  const { openRenderService, renderPreview, saveCmykPicture, savePicture } = await import('@pdf2press/pdf');
  const service = openRenderService({ path: path.join(workDir, 'imposed.pdf'), workDir });
  try {
    const names: string[] = [];
    for (const { number } of service.file.pages) {
      const name = `sheet-${number}.${endings[format]}`;
      const target = path.join(workDir, name);
      if (colorSpace === 'CMYK' && format !== 'PNG') {
        const plates = await service.plates(number, { dpi, box: 'media' });
        await saveCmykPicture(plates, target, { format: encodings[format], quality: jpegQuality });
      } else {
        const raster = renderPreview(service.file, number, { dpi, box: 'media' });
        await savePicture(raster, target, { format: encodings[format], dpi, quality: jpegQuality });
      }
      names.push(name);
    }
    return names;
  } finally {
    service.close();
  }
}

/** The sheets as they are printed, the die being a file of its own. */
function withoutDies(plan: Plan): Plan {
  const side = <S extends Side | null>(one: S): S =>
    one && ({ ...one, marks: one.marks.filter((mark) => mark.mark !== 'DieLine') } as S);
  return {
    ...plan,
    sheets: plan.sheets.map((sheet) => ({ ...sheet, front: side(sheet.front), back: side(sheet.back) })),
  };
}

/** Only the technical layers, for a cutter that wants them as a file of their own. */
function diesOnly(plan: Plan): Plan {
  const side = <S extends Side | null>(one: S): S =>
    one && ({ cells: [], marks: one.marks.filter((mark) => mark.processingStep) } as unknown as S);
  return { ...plan, sheets: plan.sheets.map((sheet) => ({ ...sheet, front: side(sheet.front), back: null })) };
}
