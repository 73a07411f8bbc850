import { describeHostileOwner } from './suite.ts';

describeHostileOwner(15);
