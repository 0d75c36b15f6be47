/* The door `@pdf2press/steps/facts`: what is known of a session by name, and how rules come out with it. */
export { type Evaluated, openRules } from './evaluate.ts';
export { stepFacts } from './step-facts.ts';
