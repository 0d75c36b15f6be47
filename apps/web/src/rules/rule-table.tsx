import { ruleRowSchema } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import classes from './rules.module.css';
import { useSettingsWords } from './settings-words.ts';
import { useShownFact, Verdict } from './verdict.tsx';

const evaluationSchema = z.object({
  name: z.string().default(''),
  verdict: z.boolean(),
  table: z.array(ruleRowSchema),
});
const summarySchema = z.union([
  evaluationSchema.transform((one) => [one]),
  z.object({ rules: z.array(evaluationSchema) }).transform(({ rules }) => rules),
]);

/** The rules that a step looked at, as its log keeps them: what was expected, what was found, whether it holds. */
export function RuleTables({ summary }: { summary: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation();
  const word = useSettingsWords();
  const shown = useShownFact();
  const read = summarySchema.safeParse(summary);
  if (!read.success) return null;
  return read.data.map(({ name, verdict, table }, at) => (
    // Rules of a route have no other name in the log than their place.
    <section key={at} aria-label={name || t('builder.rule', { number: at + 1 })}>
      <Verdict isTrue={verdict}>{name || (read.data.length > 1 ? t('builder.rule', { number: at + 1 }) : '')}</Verdict>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('rules.fact')}</th>
            <th scope="col">{t('rules.expected')}</th>
            <th scope="col">{t('rules.actual')}</th>
            <th scope="col">{t('rules.result')}</th>
          </tr>
        </thead>
        <tbody>
          {table.map((row) => (
            <tr key={row.path}>
              <th scope="row">{word(`variable.${row.fact}`) ?? row.fact}</th>
              <td>
                {[
                  word(`operator.${row.operator}`) ?? row.operator,
                  ...row.expected.map((one) => shown(row.type, one)),
                ].join(' ')}
              </td>
              <td>{row.actual === null ? t('rules.notKnown') : shown(row.type, row.actual)}</td>
              <td>{t(row.verdict ? 'rules.true' : 'rules.false')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  ));
}
