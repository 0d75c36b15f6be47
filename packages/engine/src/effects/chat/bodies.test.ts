import { expect, test } from 'vitest';
import { chatBody } from './bodies.ts';

const link = { text: 'Open', href: 'https://print.test/workflows/session/s1' };

test('Slack gets blocks of plain text, so that no name calls anybody, and a short line with its own signs escaped', () => {
  const title = 'Failed: <!channel> & *all*.pdf';
  const body = JSON.parse(chatBody('slack', { title, text: 'One\nTwo', link }));
  expect(body).toEqual({
    text: 'Failed: &lt;!channel&gt; &amp; *all*.pdf',
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      { type: 'section', text: { type: 'plain_text', text: 'One\nTwo', emoji: false } },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open', emoji: false }, url: link.href }],
      },
    ],
  });
});

test('Teams gets an adaptive card whose texts are no markup', () => {
  const text = 'See [this](https://evil.test)\n\n**bold**';
  const body = JSON.parse(chatBody('teams', { title: 'Approved', text, link }));
  expect(body).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: { type: 'AdaptiveCard', actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link.href }] },
      },
    ],
  });
  const { content } = body.attachments[0];
  expect(content.body.map(({ type }: { type: string }) => type)).toEqual(Array(3).fill('RichTextBlock'));
  expect(content.body.map((block: { inlines: { text: string }[] }) => block.inlines[0]?.text)).toEqual([
    'Approved',
    'See [this](https://evil.test)',
    '**bold**',
  ]);
});

test('what is longer than a service takes is cut between characters; without a link there is no button', () => {
  const body = JSON.parse(chatBody('slack', { title: '😀'.repeat(400), text: 'x'.repeat(5000) }));
  expect([...body.blocks[0].text.text]).toHaveLength(150);
  expect(body.blocks[0].text.text).toMatch(/^(😀)+…$/u);
  expect(body.blocks[1].text.text).toHaveLength(3000);
  expect(body.blocks).toHaveLength(2);
  expect(JSON.parse(chatBody('teams', { title: 'a', text: '' })).attachments[0].content).not.toHaveProperty('actions');
});
