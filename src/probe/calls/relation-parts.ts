import type { RelationPart, RelationPartKind } from '../../database/read-call-facts.ts';

interface PartRule {
  /** Whether the server runs this part of a relation. */
  readonly runs: (part: RelationPart, isWritten: boolean) => boolean;
  readonly label: (part: RelationPart, relation: string) => string;
}

const always = () => true;
const onWrites = (_: RelationPart, isWritten: boolean) => isWritten;
const ofRelation =
  (what: string) =>
  ({ part }: RelationPart, relation: string) =>
    `${what} ${part} of ${relation}`;

/**
 * The planner simplifies the expressions of indexes, constraints and statistics of every table that it reads, and
 * runs what calls itself immutable in them (plancat.c). The row of a materialized view is stored: its query does not
 * run.
 */
const rules: Readonly<Record<RelationPartKind, PartRule>> = {
  relation: { runs: always, label: (_, relation) => relation },
  view: {
    runs: ({ relationKind }) => relationKind === 'v',
    label: (_, relation) => `view ${relation}`,
  },
  rule: { runs: onWrites, label: ofRelation('rule') },
  policy: { runs: ({ hasRowSecurity }) => hasRowSecurity, label: ofRelation('policy') },
  generated: { runs: always, label: ofRelation('generated column') },
  default: { runs: onWrites, label: ofRelation('default of') },
  constraint: { runs: always, label: ofRelation('constraint') },
  index: { runs: always, label: ofRelation('index') },
  statistics: { runs: always, label: ofRelation('statistics') },
  'partition key': { runs: always, label: (_, relation) => `partition key of ${relation}` },
  trigger: { runs: onWrites, label: ofRelation('trigger') },
  'foreign key': { runs: onWrites, label: ofRelation('foreign key') },
};

/** Whether a statement that reads a relation, or writes to it, makes the server run this part. */
export function appliesTo(part: RelationPart, isWritten: boolean): boolean {
  return rules[part.kind].runs(part, isWritten);
}

/** For example "policy own_rows of public.orders". */
export function labelOfPart(part: RelationPart): string {
  return rules[part.kind].label(part, `${part.schema}.${part.name}`);
}
