import {
  type ClientProof,
  contractMessages,
  type Locale,
  type MessageFiles,
  type ShownProof,
  sentence,
} from '@pdf2press/contract';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const messages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

/** What a plain page says, and in which language. */
export interface PlainProof {
  proof: ClientProof;
  locale: Locale;
  /** IANA name. */
  timeZone: string;
  /** Where the reader can write to; null where nothing is known. */
  answersTo: string | null;
  /** Of the decisions up to now; null = there are none, or the link does not lead to it. */
  receipt: {
    /** Absolute address of the PDF, to be read on paper as well. */
    address: string;
    state: 'made' | 'unasked' | 'underway' | 'notPossible';
  } | null;
}

/** A piece of HTML whose values are escaped already. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
type Part = string | Html | readonly Html[] | null;
const shown = (part: Part): string => {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part !== 'string') return part.map(({ text }) => text).join('');
  return part.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
};
/** HTML in which every text that is filled in is shown as it is. */
const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(pieces.map((piece, at) => (at === 0 ? '' : shown(parts[at - 1] ?? null)) + piece).join(''));

// The browser's own colours are read in both schemes and on paper.
const style = new Html(
  ':root{color-scheme:light dark}body{margin:0;font:1rem/1.55 system-ui,sans-serif;background:Canvas;color:CanvasText}' +
    'main{overflow-wrap:anywhere;max-width:40rem;margin:0 auto;padding:2rem 1.25rem}h1{font-size:1.5rem;line-height:1.25}' +
    'h2{font-size:1rem;margin:2rem 0 .25rem}p{margin:0 0 1rem}.house{font-weight:700}a{color:LinkText}' +
    'button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}.by-script{border-top:1px solid;padding-top:1rem;margin-top:2rem}' +
    '@media print{main{max-width:none;padding:0}form,.again{display:none}}',
);

const answers = { Approved: 'proof.approve', Declined: 'proof.decline' } as const;
type Decided = NonNullable<ShownProof['decided']>;

/** What is asked, or what was decided, in sentences. */
function sentencesOf({ proof, locale, timeZone }: PlainProof): string[] {
  const say = (key: string, params: Record<string, string> = {}) => sentence(messages, locale, `plain.${key}`, params);
  const moment = (at: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(at));
  const called = (answer: keyof typeof answers, label: string | null | undefined) =>
    label || sentence(contractMessages, locale, answers[answer]);
  const told = (key: 'answered' | 'decided', { decision, label, by, at }: Decided) =>
    decision === 'Expired'
      ? say('undecided')
      : say(key, {
          answer: called(decision, label),
          by: by || sentence(contractMessages, locale, 'proof.byDeadline'),
          at: moment(at),
        });
  if (proof.state === 'guarded') return [say('guarded')];
  if (proof.state === 'used') return [told('decided', proof.decided), sentence(contractMessages, locale, 'proof.used')];
  if ('sentence' in proof) return [proof.sentence];
  if (proof.decided) return [told('decided', proof.decided)];
  if (proof.mine) return [told('answered', proof.mine)];
  const { labels } = proof.form ?? {};
  const named = { approve: called('Approved', labels?.Approved), decline: called('Declined', labels?.Declined) };
  return [
    proof.verdict.sentence,
    [say('waits'), say('asked', named)].join(' '),
    ...(proof.dueAt === null ? [] : [say('due', { at: moment(proof.dueAt) })]),
  ];
}

function receiptOf({ receipt, locale }: PlainProof): Html | null {
  if (!receipt) return null;
  const say = (key: string) => sentence(messages, locale, `plain.${key}`);
  const states: Record<typeof receipt.state, () => Html> = {
    made: () => html`<p><a href="certificate.pdf" download>${say('download')}</a><br>${receipt.address}</p>`,
    // A browser sends this form without a script; the page itself changes nothing.
    unasked: () =>
      html`<form method="post" action="plain" enctype="multipart/form-data"><p><button>${say('make')}</button></p></form><p>${receipt.address}</p>`,
    underway: () =>
      html`<p>${say('underway')}</p><p class="again"><a href="?receipt=underway">${say('again')}</a></p><p>${receipt.address}</p>`,
    notPossible: () => html`<p>${sentence(contractMessages, locale, 'certificate.notPossible')}</p>`,
  };
  return html`<h2>${say('receipt')}</h2>${states[receipt.state]()}`;
}

/** Seconds until a page that waits for its receipt is loaded again. */
const pauseSeconds = 5;

/**
 * A proof as a page without any script, for browsers in which none runs: whose it is, what is asked or was decided, where to
 * write to, and the address of the receipt. Everything that is filled in is shown as text.
 */
export function plainPage(plain: PlainProof): string {
  const { proof, locale, answersTo, receipt } = plain;
  const say = (key: string, params: Record<string, string> = {}) => sentence(messages, locale, `plain.${key}`, params);
  const house = proof.house.organization?.name ?? proof.house.title;
  const title = 'fileName' in proof ? say('title', { file: proof.fileName }) : house;
  const again =
    receipt?.state === 'underway'
      ? html`<meta http-equiv="refresh" content="${`${pauseSeconds}; url=?receipt=underway`}">`
      : null;
  const contact =
    answersTo === null
      ? html`<p>${say('reply')}</p>`
      : html`<p>${say('write')} <a href="${`mailto:${encodeURIComponent(answersTo).replaceAll('%40', '@')}`}">${answersTo}</a></p>`;
  const isByScript =
    proof.state === 'open' || proof.state === 'answered' || proof.state === 'decided' || proof.state === 'guarded';
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">${again}<title>${title}</title><style>${style}</style></head>
<body><main><p class="house">${house}</p><h1>${title}</h1>${sentencesOf(plain).map((text) => html`<p>${text}</p>`)}${receiptOf(plain)}${contact}${isByScript ? html`<p class="by-script">${say('script')}</p>` : null}</main></body></html>
`.text;
}
