import { describeHostileOwner } from './suite.ts';

describeHostileOwner(17);
