import { useTranslation } from 'react-i18next';
import classes from './demo.module.css';
import { type SampleFinding, samplePage } from './sample.ts';

const { width, height, bleed } = samplePage;

interface Props {
  isFixed: boolean;
  chosen: SampleFinding | null;
  /** Whether the line that it is cut at is drawn. */
  hasTrim?: boolean;
}

/** The sample flyer, drawn here; once fixed its picture reaches into the bleed and its heading is in the inks of the press. */
export function SamplePage({ isFixed, chosen, hasTrim = true }: Props) {
  const { t } = useTranslation();
  return (
    <svg
      className={classes.page}
      viewBox={`${-bleed} ${-bleed} ${width + 2 * bleed} ${height + 2 * bleed}`}
      role="img"
      aria-label={t('demo.page')}
    >
      <rect x={-bleed} y={-bleed} width={width + 2 * bleed} height={height + 2 * bleed} fill="#fff" />
      <rect
        x={isFixed ? -bleed : 0}
        y={isFixed ? -bleed : 0}
        width={isFixed ? width + 2 * bleed : width}
        height={isFixed ? height + 2 * bleed : height}
        fill="#f5efe2"
      />
      <text x="15" y="30" fontSize="15" fontWeight="700" fill={isFixed ? '#b5432f' : '#ff3b1f'}>
        Spring
      </text>
      <text x="15" y="45" fontSize="6" fill="#3b3a36">
        Fresh bread from 6 a.m.
      </text>
      <g transform="translate(16 62)">
        <rect width="73" height="48" fill="#dfc9a0" />
        {/* A picture with too few pixels: they can be seen. */}
        {Array.from({ length: 12 }, (_, at) => (
          <rect
            key={at}
            x={(at % 4) * 18.25}
            y={Math.floor(at / 4) * 16}
            width="18.25"
            height="16"
            fill={['#c98d45', '#b87a35', '#d9a866', '#a9672a'][(at + 3 * Math.floor(at / 4)) % 4]}
          />
        ))}
      </g>
      <text x="15" y="128" fontSize="4.5" fill="#3b3a36">
        Market Street 12
      </text>
      {hasTrim && (
        <rect width={width} height={height} fill="none" stroke="#0a7f80" strokeWidth="0.35" strokeDasharray="2 1.4" />
      )}
      {chosen && (
        <rect
          {...chosen.box}
          className={classes.place}
          data-severity={chosen.severity}
          data-finding={chosen.id}
          fill="none"
          strokeWidth="1"
        />
      )}
    </svg>
  );
}
