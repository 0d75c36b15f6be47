import sanitizeHtml from 'sanitize-html';

// No brackets, so that no style can name an address or a function; colours are written as #rrggbb or by name.
const plain = /^[^()\\<>:;@]{1,100}$/;
const styles = [
  ...['color', 'background-color', 'font-family', 'font-size', 'font-style', 'font-weight', 'line-height'],
  ...['text-align', 'text-decoration', 'text-transform', 'vertical-align', 'letter-spacing', 'white-space'],
  ...['width', 'max-width', 'height', 'border-collapse', 'border-radius'],
  ...['margin', 'padding', 'border'].flatMap((name) => [
    name,
    ...['top', 'right', 'bottom', 'left'].map((side) => `${name}-${side}`),
  ]),
];
const ofTables = ['align', 'valign', 'width', 'height', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'role'];

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'div', 'span', 'br', 'hr', 'a', 'b', 'strong', 'i', 'em', 'u', 's', 'small', 'sub', 'sup', 'blockquote'],
    ...['h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'pre', 'code'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'title'],
    a: ['href'],
    table: ofTables,
    tr: ofTables,
    th: [...ofTables, 'colspan', 'rowspan', 'scope'],
    td: [...ofTables, 'colspan', 'rowspan'],
  },
  allowedStyles: { '*': Object.fromEntries(styles.map((name) => [name, [plain]])) },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 60,
};

/**
 * HTML that a person wrote without all that acts, loads or imitates: scripts, forms, pictures, frames, styles that reach out
 * of their place. Texts and links stay. Pictures go, too, because one from elsewhere tells who opened a message.
 */
export const sanitized = (html: string): string => sanitizeHtml(html, options);
