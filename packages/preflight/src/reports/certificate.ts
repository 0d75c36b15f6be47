/** The certificate of the decisions on a proof: who decided what and when, on which file, with pictures of its pages. */
import {
  type Certificate,
  certificateRecordName,
  certificateSchema,
  type KeptNote,
  type Locale,
  type ProofRecord,
  recordsIn,
} from '@pdf2press/contract';
import { createReportWriter, type RenderService } from '@pdf2press/pdf';
import { drawPage, fitted, placePicture } from './page-picture.ts';
import { writeEdges, writeFacts, writeHeading, writeLetterhead, writePanel } from './report-frame.ts';
import {
  type Block,
  blockOf,
  contentWidth,
  createFlow,
  type Flow,
  grey,
  hairline,
  writeBlocks,
} from './report-layout.ts';
import { type ReportHouse, resultColours, type Say, sayIn } from './report-options.ts';

export interface CertificateOptions {
  /** The certificate as JSON; these bytes are embedded. */
  record: Uint8Array;
  locale: Locale;
  house: ReportHouse;
  /** The file that was decided on. */
  render: RenderService;
}

/** Pages shown as pictures, four on a page. */
const maxPictures = 200;
const pageRoom = { width: (contentWidth - 20) / 2, height: 320 };
const pictureSide = 900;

const colours = {
  Approved: resultColours.Success,
  Declined: resultColours.Error,
  Expired: resultColours.Warning,
} as const;

/** The PDF of a certificate, not signed yet. @throws ZodError for a record that is none */
export async function certificatePdf({ record, locale, house, render }: CertificateOptions): Promise<Uint8Array> {
  const certificate = certificateSchema.parse(JSON.parse(new TextDecoder().decode(record)));
  const say = sayIn(locale);
  const writer = createReportWriter();
  const flow = createFlow(writer);
  const told = recordsIn(certificate);
  const title = say('certificate.title');
  writeLetterhead(flow, house, title);
  const last = told.at(-1)?.record;
  if (last) writePanel(flow, { colour: colours[last.decision], ...outcomeOf(last, locale, say) });
  writeFacts(flow, factsOf(certificate, last, locale, say), await drawPage(render, 1));
  writeHeading(flow, say('certificate.decisions'), house, 80);
  for (const { no, record: each } of told) writeDecision(flow, no, each, locale, say);
  writeNotes(flow, told, { locale, house, say });
  writeHeading(flow, say('certificate.verify'), house, 60);
  flow.paragraph(say('certificate.verifyText'), { size: 9.5, after: 4 });
  flow.paragraph('pdf2press verify CERTIFICATE.pdf FILE.pdf --key KEY.pem', { size: 9.5, after: 4, isBold: true });
  flow.paragraph(say('certificate.limits'), { size: 9.5, colour: grey });
  await writePages(flow, render, house, say);
  writeEdges(flow, { house, about: certificate.fileName }, say);
  return writer.finish({
    title: `${title}: ${certificate.fileName}`,
    locale,
    attachment: { name: certificateRecordName, mediaType: 'application/json', bytes: record },
  });
}

/** A time with its zone, because a certificate is read elsewhere and years later. */
const timeTold = (at: string, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(new Date(at));

const whoTold = ({ name, email, onBehalf }: ProofRecord): string => name || email || onBehalf?.by || '';

function outcomeOf(record: ProofRecord, locale: Locale, say: Say): { title: string; text: string[] } {
  const text = [whoTold(record), timeTold(record.at, locale)].filter(Boolean).join(' · ');
  return { title: say(`certificate.${record.decision}`), text: [text] };
}

function factsOf(
  certificate: Certificate,
  last: ProofRecord | undefined,
  locale: Locale,
  say: Say,
): (readonly [string, string])[] {
  const { fileName, pageCount, version, issuer, issuedAt } = certificate;
  const counting = last?.asked ?? null;
  return [
    [say('file'), fileName],
    [say('pages'), String(pageCount)],
    [say('certificate.version'), String(version)],
    ...(last?.details ?? []).map(({ label, value }) => [label, value] as const),
    ...(counting
      ? [
          [
            say('certificate.counting'),
            say(`certificate.counting.${counting.mode}`, { count: counting.quorum }),
          ] as const,
        ]
      : []),
    [say('certificate.decidedFile'), certificate.proofSha256],
    [say('certificate.productionFile'), certificate.productionSha256],
    [say('certificate.originalFile'), certificate.originalSha256],
    [say('certificate.issuedBy'), [issuer.name, issuer.address].filter(Boolean).join(', ')],
    [say('certificate.issuedAt'), timeTold(issuedAt, locale)],
  ];
}

function writeDecision(flow: Flow, no: number, record: ProofRecord, locale: Locale, say: Say): void {
  const {
    decision,
    title,
    email,
    link,
    onBehalf,
    reason,
    comment,
    checkboxes,
    legalText,
    ip,
    acceptedFindingIds,
    notes,
    pages,
    asked,
    signature,
    label,
  } = record;
  const accepted = acceptedFindingIds.length;
  const lines = [
    [whoTold(record), title, email].filter((part, at, all) => part !== '' && all.indexOf(part) === at).join(', '),
    timeTold(record.at, locale) + (record.timeZone ? ` (${record.timeZone})` : ''),
    label ? say('certificate.label', { label }) : '',
    signature ? say('certificate.signature', { name: signature }) : '',
    record.replaces === undefined ? '' : say('certificate.replaces', { no: record.replaces }),
    asked?.isGatekeeper ? say('certificate.gatekeeper') : '',
    link ? say('certificate.link', { address: link.sentTo }) : '',
    link?.isCodeEntered ? say('certificate.codeEntered') : '',
    onBehalf ? say('certificate.onBehalf', onBehalf) : '',
    accepted > 0 ? say('certificate.accepted', { count: accepted }) : '',
    [reason, comment].filter(Boolean).join(' – '),
    ...pagesTold(pages, say),
    ...checkboxes.map(({ text }) => say('certificate.confirmed', { text })),
    legalText?.text ?? '',
    ip === '' ? '' : say('certificate.address', { ip }),
    notes ? say('certificate.noteCount', { count: notes.length }) : '',
  ];
  const width = contentWidth - 26;
  writeEntry(flow, [
    blockOf(flow.writer, `${no}  ${say(`certificate.${decision}`)}`, {
      size: 10.5,
      isBold: true,
      colour: colours[decision],
      width,
      after: 2,
    }),
    ...lines.filter(Boolean).map((line) => blockOf(flow.writer, line, { size: 9.5, width, after: 1 })),
  ]);
}

/** What was decided on each page, where it was: the declined ones with their reasons, and how many were approved. */
function pagesTold(pages: ProofRecord['pages'], say: Say): string[] {
  if (pages === null) return [];
  const declined = pages.filter(({ decision }) => decision === 'Declined');
  const approved = pages.length - declined.length;
  return [
    ...declined.map(({ page, reason }) =>
      [say('certificate.pageDeclined', { page }), reason].filter(Boolean).join(': '),
    ),
    approved > 0 ? say('certificate.pagesApproved', { count: approved }) : '',
  ];
}

/** Blocks with a line below them. A long comment runs over several pages. */
function writeEntry(flow: Flow, blocks: readonly Block[]): void {
  for (const block of blocks) {
    for (const line of block.lines) {
      const height = block.height / block.lines.length;
      const { page, x, y } = flow.reserve(height);
      writeBlocks(page, [{ ...block, lines: [line] }], x, y);
    }
  }
  const { page, x, y } = flow.reserve(12);
  page.box({ x, y: y - 5, width: contentWidth, height: 0.4, fill: hairline });
}

/** Of a longer list the first ones are written on pages; the record that is embedded has all of them. */
const mostNotesWritten = 500;

/** The notes that stood at each decision; where they are those of the decision before, they are not written again. */
function writeNotes(
  flow: Flow,
  told: readonly { no: number; record: ProofRecord }[],
  { locale, house, say }: { locale: Locale; house: ReportHouse; say: Say },
): void {
  let written = '[]';
  for (const { no, record } of told) {
    const notes = record.notes ?? [];
    const these = JSON.stringify(notes);
    if (these === written) continue;
    written = these;
    writeHeading(flow, say('certificate.notes', { no }), house, 60);
    if (notes.length === 0) flow.paragraph(say('certificate.noteCount', { count: 0 }), { colour: grey });
    for (const note of notes.slice(0, mostNotesWritten)) writeNote(flow, note, locale, say);
    const left = notes.length - mostNotesWritten;
    if (left > 0) flow.paragraph(say('certificate.moreNotes', { count: left }), { colour: grey });
  }
}

function writeNote(flow: Flow, note: KeptNote, locale: Locale, say: Say): void {
  const { writer } = flow;
  const said = ({ by, isHouse, at }: Pick<KeptNote, 'by' | 'isHouse' | 'at'>) =>
    [isHouse ? say('certificate.house', { name: by }) : by, timeTold(at, locale)].join(' · ');
  const place = note.page === null ? say('certificate.wholeFile') : say('page', { page: note.page });
  const width = contentWidth - 26;
  const small = { size: 8.5, colour: grey, width };
  writeEntry(flow, [
    blockOf(writer, `${note.no}  ${place} · ${say(`certificate.mark.${note.mark}`)}`, {
      size: 9.5,
      isBold: true,
      width,
      after: 1,
    }),
    blockOf(writer, said(note), { ...small, after: 1 }),
    blockOf(writer, note.text, { size: 9.5, width, after: 2 }),
    ...note.answers.flatMap((answer) => [
      blockOf(writer, `– ${said(answer)}`, { ...small, after: 1 }),
      blockOf(writer, answer.text, { size: 9.5, width, after: 2 }),
    ]),
    ...(note.isToDo && note.resolvedAt === null ? [blockOf(writer, say('certificate.toDo'), small)] : []),
    ...(note.resolvedAt === null
      ? []
      : [blockOf(writer, say('certificate.resolved', { time: timeTold(note.resolvedAt, locale) }), small)]),
  ]);
}

async function writePages(flow: Flow, render: RenderService, house: ReportHouse, say: Say): Promise<void> {
  const { pageCount } = render.file;
  const shown = Math.min(pageCount, maxPictures);
  flow.newPage();
  writeHeading(flow, say('certificate.pages'), house, pageRoom.height);
  for (let first = 1; first <= shown; first += 2) {
    const row = await Promise.all(
      [first, first + 1]
        .filter((number) => number <= shown)
        .map(async (number) => drawPage(render, number, pictureSide)),
    );
    const sizes = row.map((drawn) => drawn && fitted(drawn, pageRoom));
    const { page, x, y } = flow.reserve(Math.max(20, ...sizes.map((size) => size?.height ?? 0)) + 26);
    for (const [at, drawn] of row.entries()) {
      const left = x + at * (pageRoom.width + 20);
      const size = sizes[at];
      page.text({ x: left, y: y - 10, size: 9, text: say('page', { page: first + at }), colour: grey });
      if (drawn && size) placePicture(page, drawn, { x: left, top: y - 15, ...size });
      else page.text({ x: left, y: y - 24, size: 9, text: say('certificate.notDrawn'), colour: grey });
    }
  }
  if (pageCount > shown) flow.paragraph(say('certificate.morePages', { count: pageCount - shown }), { colour: grey });
}
