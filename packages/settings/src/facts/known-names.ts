import { resultLevels, type WorkflowVariable } from '@pdf2press/contract';
import { type FactType, nameKey } from './facts.ts';
import { hasNoValue, sessionVariables, type Variable, type VariableScope, variableScopes } from './predefined.ts';

/** The names that a text, a condition or a bound setting may use. Found without regard to case. */
export interface KnownNames {
  get: (name: string) => Pick<Variable, 'type' | 'options'> | undefined;
  /** What a picker lists: every name with a meaning of its own that can have a value, as it is written. */
  list: readonly { name: string; variable: Variable }[];
}

export interface Naming {
  scope?: VariableScope;
  /** Variables of the workflow. Without them any name without a dot may be one: a profile serves many workflows. */
  variables?: readonly Pick<WorkflowVariable, 'name' | 'type' | 'options'>[];
  /** Names of the place itself: the link of a message. */
  own?: Readonly<Record<string, Variable>>;
  /** Whether the names of a session are known; a message that is about no session, such as one about an account, has only its own. */
  hasSession?: boolean;
}

const typeOfVariable: Readonly<Record<WorkflowVariable['type'], FactType>> = {
  String: 'String',
  Number: 'Number',
  YesNo: 'YesNo',
  Select: 'Choice',
};
/** A workflow's variable as a name that texts can use. */
const userVariable = ({ type, options }: Pick<WorkflowVariable, 'type' | 'options'>): Variable => ({
  type: typeOfVariable[type],
  example: type === 'Number' ? 1 : type === 'YesNo' ? true : (options[0] ?? ''),
  ...(type === 'Select' && { options }),
});

const checkName = /^preflight\.check\.[a-z0-9_-]{1,60}\.(result|value)$/;
const userName = /^[\p{L}_][\p{L}\p{N}_-]{0,59}$/u;
const everyScope = Object.assign({}, sessionVariables, ...Object.values(variableScopes)) as Record<string, Variable>;
const reserved = new Set(Object.keys(everyScope).map(nameKey));
const reservedGroups = new Set(
  Object.keys(everyScope).flatMap((name) => (name.includes('.') ? [`${nameKey(name).split('.')[0]}.`] : [])),
);

/**
 * Whether a name is the product's own, so that no variable of a workflow may take it: every predefined name, and every
 * name in one of their groups, so that more can be added to a group.
 */
export const isReservedName = (name: string): boolean => {
  const key = nameKey(name);
  return reserved.has(key) || reservedGroups.has(key.slice(0, key.indexOf('.') + 1));
};

/** The names known at a place. `preflight.check.<key>.result` and `.value` are known for every check. */
export function knownNames({
  scope = 'session',
  variables,
  own = {},
  hasSession = scope !== 'account',
}: Naming = {}): KnownNames {
  const all = [
    ...Object.entries<Variable>(own),
    ...(variables ?? []).map((variable) => [variable.name, userVariable(variable)] as const),
    ...Object.entries<Variable>(variableScopes[scope]),
    ...(hasSession ? Object.entries<Variable>(sessionVariables) : []),
  ].map(([name, variable]) => ({ name, variable }));
  // The first of one name counts: what is nearer to the place.
  const hasValue = (name: string) => Object.hasOwn(variableScopes[scope], name) || !hasNoValue(name);
  const byKey = new Map(all.toReversed().map(({ name, variable }) => [nameKey(name), variable]));
  return {
    list: all.filter(({ name, variable }) => byKey.get(nameKey(name)) === variable && hasValue(name)),
    get: (name) => {
      const key = nameKey(name);
      const found = byKey.get(key);
      if (found || !hasSession) return found;
      const check = checkName.exec(key);
      if (check) return check[1] === 'result' ? { type: 'Choice', options: resultLevels } : { type: 'Number' };
      return variables === undefined && userName.test(name) && !isReservedName(name) ? { type: 'String' } : undefined;
    },
  };
}
