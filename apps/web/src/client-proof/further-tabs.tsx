import type { ClientFinding, ClientFix, ShownProof } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatTime } from '../language/formats.ts';
import classes from './client-proof.module.css';

/** A correction of a page, with its place where that is known, as the viewer draws what it finds. */
const placed = ({ page, sentence, box }: ClientFix['changes'][number], id: string): ClientFinding | null =>
  page === null
    ? null
    : {
        id,
        severity: 'Info',
        state: null,
        page,
        pages: [],
        boxes: box === null ? [] : [box],
        sentence,
        count: 1,
        remedy: null,
        isToAccept: false,
      };

interface FixesProps {
  fixes: readonly ClientFix[];
  onPlace: (corrected: ClientFinding) => void;
}

/** What was corrected, in sentences; those of a page lead there, and to their place where it is known. */
export function Fixes({ fixes, onPlace }: FixesProps) {
  const { t } = useTranslation();
  const show = (change: ClientFix['changes'][number], id: string) => {
    const corrected = placed(change, id);
    if (corrected) onPlace(corrected);
  };
  return (
    <>
      <p className={classes.lead}>{t('clientProof.fixesText')}</p>
      {fixes.map(({ label, changes }, at) => (
        <section key={at} className={classes.fix}>
          <h2>{label}</h2>
          <ul>
            {changes.map((change, place) => (
              <li key={place}>
                {change.page === null ? (
                  change.sentence
                ) : (
                  <button type="button" className={classes.toPage} onClick={() => show(change, `fix ${at} ${place}`)}>
                    {change.sentence}
                  </button>
                )}
                {change.count > 1 && ` · ×${formatNumber(change.count)}`}
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
