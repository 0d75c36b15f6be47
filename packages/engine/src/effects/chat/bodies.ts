import type { ChatFormat } from '@pdf2press/contract';
import type { ChatMessage } from './contract.ts';

/** Lengths that the services take; what is longer is cut. */
const slackLongest = { title: 150, text: 3000, button: 75 };
const teamsLongest = { title: 500, text: 10_000 };

/** Cut between characters, with an ellipsis. */
function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

/** The signs that have a meaning in Slack's own markup: without them nobody is called by a file's name. */
const slackEscaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Blocks of plain text: nothing that was filled in is read as markup. */
function slackBody({ title, text, link }: ChatMessage) {
  const plain = (words: string) => ({ type: 'plain_text', text: words, emoji: false });
  return {
    // Shown in notifications, and by programs that know no blocks.
    text: slackEscaped(cut(title, slackLongest.text)),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(cut(title, slackLongest.title)) },
      ...(text === '' ? [] : [{ type: 'section', text: plain(cut(text, slackLongest.text)) }]),
      ...(link
        ? [
            {
              type: 'actions',
              elements: [{ type: 'button', text: plain(cut(link.text, slackLongest.button)), url: link.href }],
            },
          ]
        : []),
    ],
  };
}

/** An adaptive card. Its runs of rich text know no markup, which its text blocks would read. */
function teamsBody({ title, text, link }: ChatMessage) {
  const paragraph = (words: string, more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: words, ...more }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      paragraph(cut(title, teamsLongest.title), { weight: 'Bolder', size: 'Medium' }),
      ...cut(text, teamsLongest.text)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => paragraph(line)),
    ],
    ...(link && { actions: [{ type: 'Action.OpenUrl', title: link.text, url: link.href }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

const bodies: Readonly<Record<ChatFormat, (message: ChatMessage) => object>> = { slack: slackBody, teams: teamsBody };

/** A message as the incoming hooks of a service take it, as JSON. */
export const chatBody = (format: ChatFormat, message: ChatMessage): string => JSON.stringify(bodies[format](message));
