import classes from './viewer.module.css';

/** The paper of a page that cannot be rendered, crossed out. */
export const CrossedPage = () => (
  <svg className={classes.crossed} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 0L100 100M100 0L0 100" vectorEffect="non-scaling-stroke" />
  </svg>
);
