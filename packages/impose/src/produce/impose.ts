import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LayoutPage, Plan, PlanProblem, Side } from '@pdf2press/contract';
import { imposePdf, layoutPage, loadingMupdfOnDemand, openPdf, type PdfFile } from '@pdf2press/pdf/place';
import { findDies } from '../dies/dies.ts';
import { type FoundDies, hasDie } from '../dies/lay-dies.ts';
import { planToJdf } from '../exports/jdf.ts';
import { planToXjdf } from '../exports/xjdf.ts';
import { type ImposeProfile, planOf, readImposeProfile } from '../profile/profile.ts';
import { LayoutFault } from '../sheet/problems.ts';
import { type Attachments, readingAttachment, unpackAttachments } from './attachments.ts';
import { drawBarcodes } from './barcodes.ts';
import { dummyPlan } from './dummy.ts';
import { registerPlan } from './register.ts';

/** Files that can be made from a plan. */
export const imposeOutputs = ['output', 'plan', 'jdf', 'xjdf', 'dummy', 'register', 'dies'] as const;
export type ImposeOutput = (typeof imposeOutputs)[number];

export interface ImposeRequest {
  /** PDFs on disk; their pages are numbered consecutively. */
  inputs: readonly { path: string; password?: string }[];
  /** Path of a die file that replaces the one attached to the profile. */
  dieFile?: string;
  /** The stored profile; parsed here. */
  profile: unknown;
  outputs: readonly ImposeOutput[];
  /** Directory for the output files; the caller creates and deletes it. */
  workDir: string;
  /** Values for the slug and barcodes: `file.name`, `session.id`, `date`. */
  variables?: Readonly<Record<string, string>>;
  /** Called after each written sheet. */
  onSheet?: (done: number, total: number) => void;
}

/** The files that were made, by name in the work directory, or the problems that prevented all of them. */
export type ImposeResult =
  | {
      ok: true;
      warnings: PlanProblem[];
      sheets: number;
      layout: Plan['layout'];
      files: { output: ImposeOutput; name: string }[];
    }
  | { ok: false; problems: PlanProblem[] };

/**
 * Imposes PDFs by a profile and writes the requested outputs.
 * @throws FileFaultError the faults of `openPdf` and `imposePdf`; problems of the profile are returned
 */
export async function impose(request: ImposeRequest): Promise<ImposeResult> {
  const read = readImposeProfile(request.profile, request.variables);
  return read.ok ? loadingMupdfOnDemand(() => imposeBy(read.profile, request)) : read;
}

async function imposeBy(profile: ImposeProfile, request: ImposeRequest): Promise<ImposeResult> {
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

/** The dies of a job: from the given die file, else from the one attached to the profile. */
function diesOf(
  files: readonly PdfFile[],
  profile: ImposeProfile,
  { dieFile, attached }: { dieFile?: string; attached: Attachments },
): FoundDies {
  const own = hasDie(profile) ? profile.die.file : null;
  return dieFile !== undefined || own === null
    ? findDies(files, profile, dieFile)
    : readingAttachment(own, 'die.file', () => findDies(files, profile, attached.die));
}

/** Adds the die file when the profile asks for a separate one, because the sheets cannot be cut without it. */
const wantedOutputs = (outputs: readonly ImposeOutput[], profile: ImposeProfile): readonly ImposeOutput[] =>
  outputs.includes('output') && !outputs.includes('dies') && isDieApart(profile) ? [...outputs, 'dies'] : outputs;

const isDieApart = (profile: ImposeProfile): boolean =>
  hasDie(profile) && (profile.die.onOutput === 'SeparateFile' || profile.die.onOutput === 'Both');

interface Making extends Omit<ImposeRequest, 'profile'> {
  files: readonly PdfFile[];
  /** All pages of all files. */
  pages: readonly LayoutPage[];
  profile: ImposeProfile;
  /** The colour bar attached to the profile. */
  strip: PdfFile | null;
  plan: Plan;
}

const producer = 'pdf2press';

const jobOf = ({ variables, inputs }: Making) => ({
  id: variables?.['session.id'] || 'job',
  fileName: variables?.['file.name'] ?? path.basename(inputs[0]?.path ?? ''),
});

/** Writes each output into the work directory and returns the file names. */
const makers: { readonly [K in ImposeOutput]: (making: Making) => Promise<string[]> } = {
  async output(making) {
    const { plan, profile } = making;
    const isWithoutDie = hasDie(profile) && profile.die.onOutput === 'SeparateFile';
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

/** File name extensions, and the format names of sharp. */
const endings = { PNG: 'png', JPEG: 'jpg', TIFF: 'tif' } as const;
const encodings = { PNG: 'png', JPEG: 'jpeg', TIFF: 'tiff' } as const;

/** The imposed sheets as pictures, rendered from imposed.pdf in RGB or separated to CMYK. */
async function pictures({ workDir, profile }: Making): Promise<string[]> {
  const { dpi, format, jpegQuality, colorSpace } = profile.output;
  // The renderer is loaded only for jobs that need pictures.
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

/** The plan without die lines, for sheets with a separate die file. */
function withoutDies(plan: Plan): Plan {
  const side = (one: Side): Side => ({ ...one, marks: one.marks.filter((mark) => mark.mark !== 'DieLine') });
  return {
    ...plan,
    sheets: plan.sheets.map((sheet) => ({
      ...sheet,
      front: side(sheet.front),
      back: sheet.back && side(sheet.back),
    })),
  };
}

/** The plan with the technical layers only, for cutters that need them as a separate file. */
function diesOnly(plan: Plan): Plan {
  const side = (one: Side): Side => ({ cells: [], marks: one.marks.filter((mark) => mark.processingStep) });
  return { ...plan, sheets: plan.sheets.map((sheet) => ({ ...sheet, front: side(sheet.front), back: null })) };
}
