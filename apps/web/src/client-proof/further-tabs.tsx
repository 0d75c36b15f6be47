import type { ClientFix, ShownProof } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatTime } from '../language/formats.ts';
import classes from './client-proof.module.css';

/** What was corrected, in sentences; those of a page lead there. */
export function Fixes({ fixes, onPage }: { fixes: readonly ClientFix[]; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.lead}>{t('clientProof.fixesText')}</p>
      {fixes.map(({ label, changes }, at) => (
        <section key={at} className={classes.fix}>
          <h2>{label}</h2>
          <ul>
            {changes.map(({ page, sentence, count }, place) => (
              <li key={place}>
                {page === null ? (
                  sentence
                ) : (
                  <button type="button" className={classes.toPage} onClick={() => onPage(page)}>
                    {sentence}
                  </button>
                )}
                {count > 1 && ` · ×${formatNumber(count)}`}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Who is asked, and what they answered. */
export function People({ proof }: { proof: ShownProof }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.people}>
      {proof.recipients.map(({ name, isReader, state, at }, place) => (
        <li key={place}>
          <span>
            {name}
            {isReader && ` (${t('clientProof.you')})`}
          </span>
          <small>
            {t(`clientProof.recipient.${state}`)}
            {at && ` · ${formatTime(at)}`}
          </small>
        </li>
      ))}
    </ul>
  );
}
