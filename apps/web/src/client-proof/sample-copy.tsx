import { watermarkLayout } from '@pdf2press/contract';
import { samplePage } from '../demo/sample.ts';
import { SamplePage } from '../demo/sample-page.tsx';
import classes from './client-proof.module.css';

const size = { width: samplePage.width + 2 * samplePage.bleed, height: samplePage.height + 2 * samplePage.bleed };
/** Height of the letters and from row to row, millimetres. */
const letter = Math.max(size.width, size.height) * watermarkLayout.letterPart;
const rowStep = watermarkLayout.rowStep * letter;
/** Between the words of a row: spaces as wide as the letters are high. */
const gap = '\u2003'.repeat(watermarkLayout.gap);
const reach = Math.hypot(size.width, size.height) / 2;
const rows = Math.ceil(reach / rowStep);

/** The sample page as it is in the copy of low resolution, with the words of the profile over it. */
export function SampleCopy({ words }: { words: string }) {
  const repeated = Math.ceil((4 * reach) / (letter * (0.5 * words.length + watermarkLayout.gap)));
  const row = Array(repeated).fill(words).join(gap);
  return (
    <div className={classes.sampleCopy}>
      <div>
        <SamplePage isFixed chosen={null} hasTrim={false} />
        {words !== '' && (
          <svg
            viewBox={`${-size.width / 2} ${-size.height / 2} ${size.width} ${size.height}`}
            aria-label={words}
            role="img"
          >
            <g
              transform={`rotate(${-watermarkLayout.degrees})`}
              fontFamily="Helvetica, Arial, sans-serif"
              fontWeight="700"
              fontSize={letter}
              textAnchor="middle"
              fill="rgb(64 64 64 / 26%)"
              stroke="rgb(255 255 255 / 30%)"
              strokeWidth={letter / 14}
              paintOrder="stroke"
            >
              {Array.from({ length: 2 * rows + 1 }, (_, at) => (
                <text
                  key={at}
                  x={at % 2 === 0 ? 0 : (letter * (0.5 * words.length + watermarkLayout.gap)) / 2}
                  y={(at - rows) * rowStep}
                >
                  {row}
                </text>
              ))}
            </g>
          </svg>
        )}
      </div>
    </div>
  );
}
