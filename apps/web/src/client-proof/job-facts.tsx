import type { ShownProof } from '@pdf2press/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import classes from './client-proof.module.css';
import { leastBleed, trimmedSize } from './finished-size.ts';
import { type ProofLink, useClientPages } from './use-client-proof.ts';

/** So many sizes are named where pages differ. */
const mostSizes = 3;

/** How many pages there are and how large, and what the house says of the job. */
export function JobFacts({ link, proof: { shows, details, sheets } }: { link: ProofLink; proof: ShownProof }) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  // The size is that of what is cut from the sheets; it is not told where that is not shown.
  const cut = shows.pages ? 'pages' : null;
  const { pages } = useClientPages(link, sheets ? cut : 'production', [1]);
  const sizes = [
    ...new Set(
      pages.map((page) =>
        trimmedSize(page)
          .map((side) => formatPoints(side, unit))
          .join(' × '),
      ),
    ),
  ];
  const bleed = Math.min(...pages.map(leastBleed));
  const rows = [
    ...(shows.size && pages.length > 0
      ? [
          { label: t('viewer.pages'), value: formatNumber(pages.length) },
          {
            label: t('clientProof.size'),
            value: [...sizes.slice(0, mostSizes), ...(sizes.length > mostSizes ? ['…'] : [])].join(', '),
          },
          { label: t('clientProof.bleed'), value: bleed < 0.5 ? t('clientProof.noBleed') : formatPoints(bleed, unit) },
        ]
      : []),
    ...details,
  ];
  if (rows.length === 0 && !shows.size) return null;
  return (
    <dl className={classes.job}>
      {rows.map(({ label, value }, at) => (
        <div key={at}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
