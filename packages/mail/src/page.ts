import type { Locale } from '@pdf2press/contract';
import { escapeHtml } from '@pdf2press/settings';

/** How an organization looks in its messages. */
export interface MailBrand {
  name: string;
  /** `#rrggbb`; anything else is the product's own colour. */
  color: string | null;
  /** Address of the picture that stands in the place of the name: `cid:` of an attachment, or a data address. */
  logo: string | null;
}

export interface MailPage {
  locale: Locale;
  brand: MailBrand;
  /** HTML inside the frame. */
  body: string;
  link?: { text: string; href: string } | undefined;
}

const ownColor = '#0f766e';
const isColor = /^#[0-9a-f]{6}$/i;
const font = "font-family:Inter,'Segoe UI',Arial,sans-serif";

/** Relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** White or black on a ground, whichever is read better. */
const inkOn = (ground: string): string =>
  contrast(luminanceOf(ground), 1) >= contrast(luminanceOf(ground), 0) ? '#ffffff' : '#000000';

/** Text on white by a colour that may be too light for that. */
const inkOnWhite = (color: string): string => (contrast(luminanceOf(color), 1) >= 4.5 ? color : '#0f172a');

// Programs that know media queries show it dark where the reader does; Outlook keeps to the attributes and inline styles.
const dark =
  '@media (prefers-color-scheme:dark){.ground{background:#0b1220!important}.sheet{background:#111a2b!important;color:#e2e8f0!important}' +
  '.name{color:#e2e8f0!important}.small{color:#94a3b8!important}.logo{background:#ffffff!important}.sheet a.plain{color:#7dd3c8!important}}';

const linkBlock = ({ text, href }: { text: string; href: string }, color: string): string => {
  const [label, address] = [escapeHtml(text), escapeHtml(href)];
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr>` +
    `<td bgcolor="${color}" style="background:${color};border-radius:6px;padding:12px 20px">` +
    `<a href="${address}" style="${font};font-size:15px;font-weight:600;color:${inkOn(color)};text-decoration:none">${label}</a>` +
    `</td></tr></table>` +
    `<p class="small" style="margin:0;font-size:13px;color:#475569;word-break:break-all">${address}</p>`
  );
};

/**
 * A message as a whole page: tables and inline styles, which all mail programs agree on, Outlook's engine included. It
 * loads nothing from elsewhere.
 */
export function mailPage({ locale, brand, body, link }: MailPage): string {
  const color = brand.color && isColor.test(brand.color) ? brand.color : ownColor;
  const name = escapeHtml(brand.name);
  const head = brand.logo
    ? `<img class="logo" src="${escapeHtml(brand.logo)}" alt="${name}" height="40" style="display:block;height:40px;max-width:240px;border:0">`
    : `<p class="name" style="margin:0;font-weight:700;color:${inkOnWhite(color)}">${name}</p>`;
  return (
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><style>${dark}</style></head>` +
    `<body class="ground" style="margin:0;padding:0;background:#f1f5f9">` +
    `<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f1f5f9" style="background:#f1f5f9"><tr><td align="center" style="padding:32px 16px">` +
    `<table class="sheet" role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:560px;background:#ffffff;border-radius:8px;color:#0f172a">` +
    `<tr><td bgcolor="${color}" height="4" style="height:4px;line-height:4px;font-size:0;background:${color};border-radius:8px 8px 0 0">&nbsp;</td></tr>` +
    `<tr><td align="left" style="padding:28px 32px 32px;${font};font-size:15px;line-height:1.55">` +
    `<div style="margin:0 0 24px">${head}</div>${body}${link ? linkBlock(link, color) : ''}` +
    `</td></tr></table></td></tr></table></body></html>`
  );
}

/** Texts as paragraphs; every sign is shown as it is. */
export const paragraphsOf = (texts: readonly string[]): string =>
  texts.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('');
