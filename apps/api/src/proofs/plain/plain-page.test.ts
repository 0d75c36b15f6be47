import { type ClientProof, locales, type ShownProof } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { type PlainProof, plainPage } from './plain-page.ts';

const house = { title: 'Print', organization: { name: 'Lima & <i>Söhne</i>', color: null, logo: null } };
const decided: NonNullable<ShownProof['decided']> = {
  decision: 'Approved',
  label: null,
  by: '<b>Anna</b>',
  at: '2026-11-28T13:05:00.000Z',
  declinedPages: [],
};
const shown = (more: Partial<ShownProof>): ClientProof =>
  ({
    state: 'open',
    house,
    fileName: '"><script>alert(1)</script>.pdf',
    verdict: { level: 'Success', isChecked: true, sentence: 'The file is ready to print.' },
    dueAt: null,
    form: { labels: { Approved: 'Print <it>', Declined: null } },
    mine: null,
    decided: null,
    ...more,
  }) as ClientProof;
const page = (proof: ClientProof, more: Partial<PlainProof> = {}) =>
  plainPage({ proof, locale: 'en', timeZone: 'UTC', answersTo: 'press@lima.test', receipt: null, ...more });
/** What a reader sees. */
const seen = (text: string) =>
  text
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test('an open proof names house, file, what is asked and until when, and where to write to; names stay text', () => {
  const text = page(shown({ dueAt: '2026-12-01T09:00:00.000Z' }));
  expect(text).not.toMatch(/<script|<i>|<b>|<it>/);
  expect(seen(text)).toMatch(/^Lima &amp; &lt;i&gt;Söhne&lt;\/i&gt; Proof of “&quot;&gt;&lt;script&gt;/);
  expect(seen(text)).toContain('answer “Print &lt;it&gt;” or “Decline”. Please answer by December 1, 2026');
  expect(text).toContain('<a href="mailto:press@lima.test">press@lima.test</a>');
  expect(text).not.toMatch(/<form|Receipt/);
  expect(seen(page(shown({}), { answersTo: null }))).toContain(
    'You can also answer the message that brought you here.',
  );
});

test('a decided proof says what, who and when, and the address of the receipt, which is asked for where it is not made', () => {
  const address = 'https://print.test/api/client-proofing/a/b/certificate.pdf';
  const proof = shown({ state: 'decided', decided, form: null });
  const of = (state: 'made' | 'unasked' | 'underway' | 'notPossible') => page(proof, { receipt: { address, state } });
  expect(seen(of('made'))).toMatch(/“Approve”: &lt;b&gt;Anna&lt;\/b&gt;, November 28, 2026 at 1:05\sPM\./);
  expect(of('made')).toMatch(/<a href="certificate\.pdf" download>Download the receipt<\/a>/);
  expect(of('unasked')).toMatch(/<form method="post" action="plain" enctype="multipart\/form-data">/);
  expect(of('underway')).toMatch(/<meta http-equiv="refresh" content="5; url=\?receipt=underway">/);
  for (const state of ['made', 'unasked', 'underway'] as const) expect(seen(of(state))).toContain(address);
  for (const state of ['made', 'unasked', 'notPossible'] as const) expect(of(state)).not.toContain('http-equiv');
  expect(seen(of('notPossible'))).toContain('The certificate cannot be made');
  expect(seen(page(shown({ decided: { ...decided, by: '' } })))).toContain('the deadline, without an answer');
});

test('of a link that shows nothing, the page says no more than why', () => {
  const gone = page({ state: 'expired', house, sentence: 'The link has expired.' });
  expect(seen(gone)).toMatch(/^(Lima \S+ \S+) \1 The link has expired\. You can also write to: press@lima\.test$/);
  expect(seen(page({ state: 'guarded', house, email: 'a…@customer.test' }))).toContain('opened with a code');
  expect(seen(page({ state: 'used', house, fileName: 'a.pdf', decided }))).toContain('good for one decision');
});

test.each(locales)('%s: every sentence is there, in its own language', (locale) => {
  const address = 'https://print.test/x';
  const proofs = [
    shown({ dueAt: decided.at }),
    shown({ state: 'answered', mine: decided }),
    shown({ state: 'decided', decided: { ...decided, decision: 'Expired' } }),
    { state: 'guarded', house, email: '' } as const,
  ];
  for (const proof of proofs)
    for (const state of ['made', 'unasked', 'underway', 'notPossible'] as const) {
      const text = page(proof, { locale, receipt: { address, state } });
      expect(text).toContain(`<html lang="${locale}">`);
      expect(seen(text)).not.toMatch(/plain\.|\{\w+\}/);
      if (locale !== 'en') expect(seen(text)).not.toContain('Receipt of the decision');
    }
});
